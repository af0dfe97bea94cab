import { useState } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { languageName } from "../text/words";
import { Button } from "../ui/Button";
import { Choice, Field } from "../ui/Field";
import { EnvEditor } from "./EnvEditor";
import { defaultCode, EXAMPLES, examplesOf } from "./examples";
import { SessionSwitch } from "./SessionSwitch";

/** What the program is written in, where it works and what it is given. */
export function RunBar() {
  const { run, server, runners } = useDesk();
  const draft = useObservable(run.draft);
  const [more, setMore] = useState(draft.env.length > 0 || draft.session);
  const threads = useLoading(() => server.threads().then((answer) => answer.threads), [server]);
  const examples = examplesOf(draft.language);

  const speak = (language: string) => {
    const untouched = draft.code.trim() === "" || EXAMPLES.some((example) => example.code === draft.code);
    run.edit(untouched ? { language, code: defaultCode(language) } : { language });
  };
  const show = (title: string) => {
    const example = examples.find((candidate) => candidate.title === title);
    if (example !== undefined) run.edit({ code: example.code });
  };

  return (
    <div class="bar">
      <div class="row">
        <Choice
          name="Language"
          value={draft.language}
          options={runners.languages.map(({ language, version }) => ({
            value: language,
            text: languageName(language, version),
          }))}
          onChoose={speak}
        />
        <Choice
          name="Example"
          value={examples.find((example) => example.code === draft.code)?.title ?? ""}
          options={[
            { value: "", text: "Your own" },
            ...examples.map(({ title }) => ({ value: title, text: title })),
          ]}
          onChoose={show}
        />
        <Field name="Thread" hint="A name for a workspace whose files are kept">
          <input
            list="threads"
            value={draft.thread}
            maxLength={1024}
            placeholder="none"
            spellcheck={false}
            onInput={(event) => run.edit({ thread: event.currentTarget.value })}
          />
        </Field>
        <datalist id="threads">
          {(threads.value ?? []).map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <Field name="Timeout (s)" hint="Seconds after which the program is stopped">
          <input
            class="narrow"
            inputMode="numeric"
            value={draft.timeout}
            placeholder={String(runners.limits.timeout_seconds)}
            onInput={(event) => run.edit({ timeout: event.currentTarget.value.replace(/\D/g, "") })}
          />
        </Field>
        <Button kind="quiet" icon="more" aria-expanded={more} onClick={() => setMore(!more)}>
          Options
        </Button>
      </div>
      {more && (
        <div class="options">
          <EnvEditor env={draft.env} onChange={(env) => run.edit({ env })} />
          <SessionSwitch draft={draft} onChange={(change) => run.edit(change)} />
        </div>
      )}
    </div>
  );
}
