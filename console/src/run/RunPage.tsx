import { useEffect, useRef } from "preact/hooks";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Display } from "./Display";
import { timeoutProblem } from "./draft";
import { Editor } from "./Editor";
import { RUN_KEYS } from "./keys";
import { Outcome } from "./Outcome";
import { OutputPane } from "./OutputPane";
import { Products } from "./Products";
import { RunBar } from "./RunBar";
import { Value } from "./Value";

/** When one side is above the other, as in the style sheet. */
const STACKED = "(max-width: 1000px)";

/** The program on one side, what it does on the other. */
export function RunPage() {
  const { run, runners } = useDesk();
  const draft = useObservable(run.draft);
  const view = useObservable(run.view);
  const running = view.phase === "starting" || view.phase === "running";

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void run.run();
      } else if (event.key === "Escape" && document.querySelector("dialog[open]") === null) {
        void run.cancel();
      }
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [run]);

  const deeds = useRef<HTMLElement>(null);
  useEffect(() => {
    if (view.phase === "starting" && matchMedia(STACKED).matches) {
      deeds.current?.scrollIntoView();
    }
  }, [view.phase]);

  const wrongTimeout = timeoutProblem(draft, runners.limits.timeout_seconds_max) !== undefined;

  return (
    <div class="run">
      <section class="pane" aria-label="Program">
        <RunBar />
        <Editor language={draft.language} code={draft.code} onChange={(code) => run.edit({ code })} />
        <div class="run-act">
          {running ? (
            <Button
              kind="danger"
              icon="stop"
              disabled={view.cancelling === true}
              onClick={() => void run.cancel()}
            >
              {view.cancelling ? "Stopping…" : "Stop"} <kbd>Esc</kbd>
            </Button>
          ) : (
            <Button
              kind="primary"
              icon="run"
              disabled={draft.code.trim() === "" || wrongTimeout}
              onClick={() => void run.run()}
            >
              Run <kbd>{RUN_KEYS}</kbd>
            </Button>
          )}
          <span class="faint small">
            {draft.thread.trim() === ""
              ? "Without a thread, files are deleted after the run."
              : `Files stay in the thread “${draft.thread.trim()}”.`}
          </span>
        </div>
      </section>
      <section class="pane" aria-label="Result" ref={deeds}>
        <Outcome />
        <OutputPane />
        <Display forms={view.result?.display} />
        <Value handed={view.result?.result} id={view.result?.run_id} />
        <Products files={view.files} thread={view.thread} />
      </section>
    </div>
  );
}
