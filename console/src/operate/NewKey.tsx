import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { KeyInfo } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Choice, Field } from "../ui/Field";
import { Problem } from "../ui/parts";
import { SecretDialog } from "../ui/SecretDialog";

const SCOPES: Record<string, string> = {
  run: "Run programs and see their executions",
  files_read: "Read files of threads and volumes",
  files_write: "Upload, change and delete files",
  tools: "Call tools of other servers",
  approve: "Decide on calls that wait for a person",
  audit: "Read the ledger",
  admin: "Everything, including this page",
};
const DEFAULT_PROFILE = "default";
const USUAL = ["run", "files_read", "files_write"];
const DAY_MILLISECONDS = 86_400_000;

interface NewKeyProps {
  /** Keys that are valid now. */
  taken: KeyInfo[];
  onMade: () => void;
}

/** Makes a key and shows its secret, this once. */
export function NewKey({ taken, onMade }: NewKeyProps) {
  const { server } = useDesk();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  const [days, setDays] = useState("");
  const [profile, setProfile] = useState(DEFAULT_PROFILE);
  const [environments, setEnvironments] = useState("");
  const [tools, setTools] = useState("");
  const profiles = useLoading(async () => (await server.profiles()).profiles, [server]);
  const [made, setMade] = useState<KeyInfo>();
  const [problem, setProblem] = useState<string>();

  const make = async (event: Event) => {
    event.preventDefault();
    setProblem(undefined);
    const lifetime = Number.parseInt(days, 10);
    const expiry = Number.isFinite(lifetime)
      ? { expires_at: new Date(Date.now() + lifetime * DAY_MILLISECONDS).toISOString() }
      : {};
    try {
      const packages = names(environments);
      const patterns = names(tools);
      setMade(
        await server.createKey({
          name: name.trim(),
          scopes,
          profile,
          environments: packages,
          ...(patterns.length > 0 ? { tools: patterns } : {}),
          ...expiry,
        }),
      );
      setName("");
      setTools("");
      onMade();
    } catch (error) {
      setProblem(explain(error));
    }
  };

  return (
    <>
      <form class="row new-key" onSubmit={(event) => void make(event)}>
        <Field name="Name">
          <input
            value={name}
            maxLength={100}
            placeholder="laptop"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <fieldset class="scopes">
          <legend>Scopes</legend>
          {Object.entries(SCOPES).map(([scope, means]) => (
            <label class="check" key={scope} title={means}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={() => setScopes(toggled(scopes, scope))}
              />
              <span>{scope}</span>
            </label>
          ))}
        </fieldset>
        <Field name="Valid for (days)">
          <input
            class="narrow"
            inputMode="numeric"
            placeholder="∞"
            value={days}
            onInput={(event) => setDays(event.currentTarget.value.replace(/\D/g, ""))}
          />
        </Field>
        <Choice
          name="Profile"
          value={profile}
          options={(profiles.value ?? [{ name: DEFAULT_PROFILE }]).map((one) => ({
            value: one.name,
            text: one.name,
          }))}
          onChoose={setProfile}
        />
        <Field name="Environments" hint="Names, the usual one first; those of the profile if empty">
          <input
            value={environments}
            placeholder="data, dev"
            onInput={(event) => setEnvironments(event.currentTarget.value)}
          />
        </Field>
        {scopes.includes("tools") && (
          <Field name="Tools" hint="Patterns of tools of other servers that it sees; all if empty">
            <input
              value={tools}
              placeholder="github.*"
              onInput={(event) => setTools(event.currentTarget.value)}
            />
          </Field>
        )}
        <Button type="submit" kind="primary" icon="plus" disabled={name.trim() === "" || scopes.length === 0}>
          Create key
        </Button>
      </form>
      <Problem text={problem} />
      {taken.some((key) => key.name === name.trim()) && (
        <p class="faint small">Another key is named {name.trim()} too.</p>
      )}
      {made?.secret !== undefined && (
        <SecretDialog name={made.name} secret={made.secret} onClose={() => setMade(undefined)} />
      )}
    </>
  );
}

/** Names from a list with commas or spaces. */
function names(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== "");
}

function toggled(scopes: string[], scope: string): string[] {
  return Object.keys(SCOPES).filter((known) => (known === scope) !== scopes.includes(known));
}
