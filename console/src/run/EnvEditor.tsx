import { Button } from "../ui/Button";

type Env = { name: string; value: string }[];

export function EnvEditor({ env, onChange }: { env: Env; onChange: (env: Env) => void }) {
  const change = (at: number, change: Partial<Env[number]>) =>
    onChange(env.map((entry, index) => (index === at ? { ...entry, ...change } : entry)));
  return (
    <fieldset class="env">
      <legend>Environment variables</legend>
      {env.map((entry, at) => (
        <div class="row" key={at}>
          <input
            aria-label={`Name of variable ${at + 1}`}
            placeholder="NAME"
            spellcheck={false}
            value={entry.name}
            onInput={(event) => change(at, { name: event.currentTarget.value.toUpperCase() })}
          />
          <input
            aria-label={`Value of variable ${at + 1}`}
            placeholder="value"
            spellcheck={false}
            value={entry.value}
            onInput={(event) => change(at, { value: event.currentTarget.value })}
          />
          <Button
            kind="quiet"
            icon="cross"
            label={`Remove variable ${at + 1}`}
            onClick={() => onChange(env.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button kind="quiet" icon="plus" onClick={() => onChange([...env, { name: "", value: "" }])}>
        Add variable
      </Button>
    </fieldset>
  );
}
