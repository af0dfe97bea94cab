import { useState } from "preact/hooks";
import { useEvery } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { duration } from "../text/format";
import { facts, sentence } from "../text/words";
import { Advice, Notice, StatusBadge } from "../ui/parts";
import { RUN_KEYS } from "./keys";
import type { RunView } from "./view";

/** How the run stands, in words; read out when it changes. */
export function Outcome() {
  const { run } = useDesk();
  const view = useObservable(run.view);
  return (
    <div class="outcome" data-phase={view.phase} data-run={view.id}>
      <div role="status" aria-live="polite" class="outcome-words">
        <Words view={view} />
      </div>
      {view.result && (
        <dl class="facts">
          {facts(view.result).map(({ name, value, hint }) => (
            <div key={name} title={hint}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Advice text={view.result?.advice} />
      {view.problem !== undefined && view.phase !== "refused" && <Notice tone="warn">{view.problem}</Notice>}
    </div>
  );
}

function Words({ view }: { view: RunView }) {
  switch (view.phase) {
    case "idle":
      return <span class="faint">Nothing has run yet. Press Run, or {RUN_KEYS}.</span>;
    case "starting":
      return <span>Starting…</span>;
    case "running":
      return <Running view={view} />;
    case "refused":
      return <Notice tone="bad">{view.problem}</Notice>;
    case "ended":
      return view.result === undefined ? null : (
        <>
          <StatusBadge status={view.result.status} /> <span>{sentence(view.result)}</span>
        </>
      );
  }
}

function Running({ view }: { view: RunView }) {
  const [now, setNow] = useState(Date.now());
  useEvery(250, () => setNow(Date.now()));
  return (
    <>
      <StatusBadge status="running" />{" "}
      <span>
        {view.attached
          ? "Reconnected after the reload"
          : view.cancelling
            ? "Stopping"
            : "The program is running"}
      </span>{" "}
      <span class="faint" aria-hidden="true">
        {duration(Math.max(0, now - (view.startedAt ?? now)))}
      </span>
    </>
  );
}
