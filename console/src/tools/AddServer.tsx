import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Choice, Field } from "../ui/Field";
import { Problem } from "../ui/parts";
import { EMPTY_ENTRY, type EntryForm, idProblem, isWhole, requestOf } from "./entry";
import { REVIEWS } from "./words";

interface AddServerProps {
  /** Whether the server takes commands from here. */
  commands: boolean;
  onAdded: (id: string) => void;
  onClose: () => void;
}

/** Names another server. Secrets stand in the vault; the entry names them. */
export function AddServer({ commands, onAdded, onClose }: AddServerProps) {
  const { server } = useDesk();
  const [form, setForm] = useState<EntryForm>(EMPTY_ENTRY);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const edit = (change: Partial<EntryForm>) => setForm({ ...form, ...change });

  const add = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await server.tools.addUpstream(requestOf(form));
      onAdded(form.id);
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title="Add a server" onClose={onClose}>
      <form class="stack add-server" onSubmit={(event) => void add(event)}>
        <Field name="Id, which programs import" problem={idProblem(form.id)}>
          <input
            value={form.id}
            placeholder="github"
            maxLength={40}
            spellcheck={false}
            onInput={(event) => edit({ id: event.currentTarget.value })}
          />
        </Field>
        <Field name="Title, for people">
          <input
            value={form.title}
            placeholder="GitHub"
            maxLength={100}
            onInput={(event) => edit({ title: event.currentTarget.value })}
          />
        </Field>
        {commands && (
          <Choice
            name="Kind"
            value={form.kind}
            options={[
              { value: "url", text: "A server at an address" },
              { value: "command", text: "A command in a sandbox of this machine" },
            ]}
            onChoose={(kind) => edit({ kind: kind as EntryForm["kind"] })}
          />
        )}
        {form.kind === "url" ? <Address form={form} edit={edit} /> : <Command form={form} edit={edit} />}
        <Choice
          name="What it says of the effects of its tools"
          value={form.trust}
          options={[
            { value: "untrusted", text: "does not count" },
            { value: "trusted", text: "counts: I trust this server" },
          ]}
          onChoose={(trust) => edit({ trust: trust as EntryForm["trust"] })}
        />
        <Choice
          name="Review of its tools"
          value={form.review}
          options={Object.entries(REVIEWS).map(([value, text]) => ({ value, text }))}
          onChoose={(review) => edit({ review: review as EntryForm["review"] })}
        />
        {form.review === "first" && (
          <label class="check">
            <input
              type="checkbox"
              checked={form.approve}
              onChange={(event) => edit({ approve: event.currentTarget.checked })}
            />
            <span>Approve its first list without looking at it</span>
          </label>
        )}
        <Problem text={problem} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" icon="plus" disabled={busy || !isWhole(form)}>
            {busy ? "Adding…" : "Add"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface PartProps {
  form: EntryForm;
  edit: (change: Partial<EntryForm>) => void;
}

function Address({ form, edit }: PartProps) {
  return (
    <>
      <Field name="Address of its MCP endpoint">
        <input
          value={form.url}
          placeholder="https://mcp.example.org/mcp"
          spellcheck={false}
          onInput={(event) => edit({ url: event.currentTarget.value })}
        />
      </Field>
      <div class="add-header">
        <Field name="Header">
          <input
            value={form.header}
            spellcheck={false}
            onInput={(event) => edit({ header: event.currentTarget.value })}
          />
        </Field>
        <Field name="Its value, if one is needed">
          <input
            value={form.value}
            placeholder="Bearer $&#123;secret:github_token&#125;"
            spellcheck={false}
            onInput={(event) => edit({ value: event.currentTarget.value })}
          />
        </Field>
      </div>
      <p class="faint small">
        A secret stands in the vault, put there with <code>caisson secret set</code>; here it is named.
      </p>
    </>
  );
}

function Command({ form, edit }: PartProps) {
  return (
    <>
      <Field name="Command, a word a line">
        <textarea
          class="code"
          rows={3}
          spellcheck={false}
          placeholder={"node\n/opt/mcp/github/server.js"}
          value={form.command}
          onInput={(event) => edit({ command: event.currentTarget.value })}
        />
      </Field>
      <Field name="Directories it may read, one a line">
        <textarea
          class="code"
          rows={2}
          spellcheck={false}
          placeholder="/opt/mcp/github"
          value={form.show}
          onInput={(event) => edit({ show: event.currentTarget.value })}
        />
      </Field>
    </>
  );
}
