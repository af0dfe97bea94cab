import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { KeyInfo } from "../api/types";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Notice, Problem } from "../ui/parts";
import { Snippet } from "../ui/Snippet";

const SCOPES: Record<string, string> = {
  run: "Run programs and see their executions",
  files_read: "Read files of threads and volumes",
  files_write: "Bring, change and delete files",
  audit: "Read the ledger",
  admin: "All of it, and this page",
};
const USUAL = ["run", "files_read", "files_write"];
const DAY_MILLISECONDS = 86_400_000;

/** Makes a key and shows its secret, this once. */
export function NewKey({ onMade }: { onMade: () => void }) {
  const { server } = useDesk();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  const [days, setDays] = useState("");
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
      setMade(await server.createKey({ name: name.trim(), scopes, ...expiry }));
      setName("");
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
          <legend>May</legend>
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
        <Field name="Days it is valid">
          <input
            class="narrow"
            inputMode="numeric"
            placeholder="∞"
            value={days}
            onInput={(event) => setDays(event.currentTarget.value.replace(/\D/g, ""))}
          />
        </Field>
        <Button type="submit" kind="primary" icon="plus" disabled={name.trim() === "" || scopes.length === 0}>
          Make a key
        </Button>
      </form>
      <Problem text={problem} />
      {made?.secret !== undefined && (
        <Notice tone="good">
          <p>
            The key <strong>{made.name}</strong> is shown this once. Copy it now; nobody can read it again.
          </p>
          <Snippet name="The new key" text={made.secret} />
          <Button kind="quiet" icon="check" onClick={() => setMade(undefined)}>
            I have it
          </Button>
        </Notice>
      )}
    </>
  );
}

function toggled(scopes: string[], scope: string): string[] {
  return Object.keys(SCOPES).filter((known) => (known === scope) !== scopes.includes(known));
}
