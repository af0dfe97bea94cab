import { useState } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Choice, Field } from "../ui/Field";
import { timeoutProblem } from "./draft";
import { EnvEditor } from "./EnvEditor";
import { defaultCode, EXAMPLES, examplesOf } from "./examples";
import { chosenRunner, packageOptions, runnerOptions, runnerWord } from "./packages";
import { SessionSwitch } from "./SessionSwitch";

/** What the program is written in, where it works and what it is given. */
export function RunBar() {
  const { run, server, runners } = useDesk();
  const draft = useObservable(run.draft);
  const [more, setMore] = useState(draft.env.length > 0 || draft.session || (draft.stdin ?? "") !== "");
  const threads = useLoading(() => server.threads().then((answer) => answer.threads), [server]);
  const examples = examplesOf(draft.language);
  const wrongTimeout = timeoutProblem(draft, runners.limits.timeout_seconds_max);

  const speak = (word: string) => {
    const { language, image = "" } = chosenRunner(word);
    const untouched = draft.code.trim() === "" || EXAMPLES.some((example) => example.code === draft.code);
    run.edit(untouched ? { language, image, code: defaultCode(language) } : { language, image });
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
          value={runnerWord(draft.language, draft.image || undefined)}
          options={runnerOptions(runners)}
          onChoose={speak}
        />
        <Choice
          name="Example"
          value={examples.find((example) => example.code === draft.code)?.title ?? ""}
          options={[
            { value: "", text: "Your program" },
            ...examples.map(({ title }) => ({ value: title, text: title })),
          ]}
          onChoose={show}
        />
        <Field name="Thread" hint="Name of a workspace that keeps its files">
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
        <Field
          name="Timeout (s)"
          hint="The program is stopped after this many seconds"
          problem={wrongTimeout}
        >
          <input
            class="narrow"
            aria-invalid={wrongTimeout !== undefined}
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
          <Choice
            name="Packages"
            value={draft.environment ?? ""}
            options={packageOptions(runners)}
            onChoose={(environment) => run.edit({ environment })}
          />
          <EnvEditor env={draft.env} onChange={(env) => run.edit({ env })} />
          <Field name="Standard input" hint="What the program reads, as with input()">
            <textarea
              class="stdin"
              rows={3}
              value={draft.stdin ?? ""}
              spellcheck={false}
              onInput={(event) => run.edit({ stdin: event.currentTarget.value })}
            />
          </Field>
          <SessionSwitch draft={draft} onChange={(change) => run.edit(change)} />
        </div>
      )}
    </div>
  );
}
