import { useState } from "preact/hooks";
import { useObservable } from "../lib/observable";
import { Display } from "../run/Display";
import { OutputRow } from "../run/OutputPane";
import { Products } from "../run/Products";
import { Value } from "../run/Value";
import type { RunView } from "../run/view";
import { WholeOutput } from "../run/WholeOutput";
import { plural } from "../text/format";
import { sentence } from "../text/words";
import { Button } from "../ui/Button";
import { Advice, Notice, StatusBadge } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import type { Cell } from "./cell";

/** More rows than this are behind a button. */
const ROWS_MAX = 400;

/** What the last run of a cell printed, showed and made. */
export function CellResult({ cell }: { cell: Cell }) {
  const view = useObservable(cell.watch.view);
  const waits = useObservable(cell.waits);
  if (view.phase === "idle" && !waits) {
    return null;
  }
  return (
    <div class="cell-result">
      <Words view={view} waits={waits} />
      <Output cell={cell} view={view} />
      <Display forms={view.result?.display} />
      <Value handed={view.result?.result} id={view.id} />
      <Products files={view.files} thread={view.thread} />
      <Advice text={view.result?.advice} />
    </div>
  );
}

/** Success needs no words. */
function Words({ view, waits }: { view: RunView; waits: boolean }) {
  const words = () => {
    if (waits) return <span class="faint">Waits for the cell before it.</span>;
    if (view.phase === "refused") return <Notice tone="bad">{view.problem}</Notice>;
    if (view.phase !== "ended") return <StatusBadge status="running" />;
    if (view.result === undefined || view.result.status === "success") return null;
    return (
      <>
        <StatusBadge status={view.result.status} /> <span>{sentence(view.result)}</span>
      </>
    );
  };
  return (
    <div role="status" aria-live="polite">
      {words()}
    </div>
  );
}

function Output({ cell, view }: { cell: Cell; view: RunView }) {
  useObservable(cell.watch.progress);
  const [whole, setWhole] = useState(false);
  const { head, tail } = cell.watch.output.shown();
  const rows = [
    ...head.slice(0, ROWS_MAX / 2),
    ...[...head.slice(ROWS_MAX / 2), ...tail].slice(-ROWS_MAX / 2),
  ];
  const hidden = cell.watch.output.rows - rows.length;
  if (rows.length === 0) {
    return null;
  }
  return (
    <>
      <Scroll class="output-still" name="Output">
        {rows.map((row, at) => (
          <OutputRow key={at} row={row} />
        ))}
      </Scroll>
      {hidden > 0 && view.id !== undefined && (
        <Button kind="quiet" icon="file" onClick={() => setWhole(true)}>
          {plural(hidden, "line")} not shown: view all output
        </Button>
      )}
      {whole && view.id !== undefined && <WholeOutput id={view.id} onClose={() => setWhole(false)} />}
    </>
  );
}
