import { SessionTable } from "../sessions/SessionTable";
import type { Draft } from "./draft";

/** Whether the interpreter lives on between runs; it lives in a thread. */
export function SessionSwitch({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}) {
  const homeless = draft.thread.trim() === "";
  return (
    <fieldset class="session">
      <legend>Session</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.session}
          disabled={homeless}
          onChange={(event) => onChange({ session: event.currentTarget.checked })}
        />
        <span>
          Keep the interpreter running between runs, with its variables
          {homeless && <em class="faint"> (needs a thread)</em>}
        </span>
      </label>
      {draft.session && !homeless && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.afresh ?? false}
            onChange={(event) => onChange({ afresh: event.currentTarget.checked })}
          />
          <span>Start a new session in the next run</span>
        </label>
      )}
      {draft.session && !homeless && <SessionTable />}
    </fieldset>
  );
}
