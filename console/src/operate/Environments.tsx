import { useEffect, useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { BakeView, EnvironmentView } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { bytes, moment } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { Badge, Card, Problem } from "../ui/parts";

const LOOK_AGAIN_MS = 700;

/** What programs can import, and how more is made ready. */
export function Environments() {
  const { server } = useDesk();
  const found = useLoading(server.environments, [server]);
  const [doomed, setDoomed] = useState<EnvironmentView>();
  const [bake, setBake] = useState<BakeView>();
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown) => setProblem(explain(error));
  const start = (name: string, python: string) => {
    setProblem(undefined);
    server.bakeEnvironment(python.trim() === "" ? { name } : { name, python }).then(setBake, fail);
  };

  useEffect(() => {
    if (bake === undefined || bake.state !== "running") {
      if (bake !== undefined) found.reload();
      return;
    }
    const timer = setTimeout(() => server.bake(bake.id).then(setBake, fail), LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [bake]);

  return (
    <Card title="Environments">
      <p class="faint small">Packages that programs can import. Every run has the default ones.</p>
      <Problem text={problem ?? found.problem} />
      <ul class="plain">
        {found.value?.environments.map((each) => (
          <li key={each.name}>
            <strong>{each.name}</strong>{" "}
            {found.value?.defaults.includes(each.name) && <Badge tone="good">default</Badge>}{" "}
            <span class="faint small">
              {bytes(each.bytes)}, {moment(each.baked_at)}
            </span>{" "}
            <Button
              kind="quiet"
              icon="trash"
              label={`Remove environment ${each.name}`}
              onClick={() => setDoomed(each)}
            >
              Remove
            </Button>
            <div class="faint small">
              {each.packages.map(({ name, version }) => `${name} ${version}`).join(", ")}
            </div>
          </li>
        ))}
        {found.value?.missing.map((name) => (
          <li key={name}>
            <strong>{name}</strong> <Badge tone="warn">missing</Badge>
          </li>
        ))}
      </ul>
      <NewEnvironment busy={bake?.state === "running"} onBake={start} />
      {bake !== undefined && (
        <div aria-live="polite">
          <p>
            {bake.name}: {bake.state}
            {bake.error ? `. ${bake.error}` : ""}
          </p>
          <pre class="said">{bake.output}</pre>
        </div>
      )}
      {doomed !== undefined && (
        <Confirm
          title={`Remove environment ${doomed.name}?`}
          text="Programs that run with it keep it to their end. New ones find its packages no more."
          act="Remove"
          onYes={() => void server.removeEnvironment(doomed.name).then(found.reload, fail)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Card>
  );
}

function NewEnvironment({ busy, onBake }: { busy: boolean; onBake: (name: string, python: string) => void }) {
  const [name, setName] = useState("");
  const [python, setPython] = useState("");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onBake(name.trim(), python);
      }}
    >
      <Field name="Environment" hint="Small letters, digits, - and _; data and dev have a lock already">
        <input value={name} maxLength={32} required onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <Field name="Python lock" hint="One requirement a line, such as numpy==2.4.6">
        <textarea rows={3} value={python} onInput={(event) => setPython(event.currentTarget.value)} />
      </Field>
      <Button type="submit" disabled={busy || name.trim() === ""}>
        {busy ? "Baking…" : "Bake"}
      </Button>
    </form>
  );
}
