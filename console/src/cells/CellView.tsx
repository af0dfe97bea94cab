import { useEffect, useRef } from "preact/hooks";
import { useObservable } from "../lib/observable";
import { Editor } from "../run/Editor";
import { RUN_KEYS } from "../run/keys";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { CellResult } from "./CellResult";
import type { Cell } from "./cell";

interface CellViewProps {
  cell: Cell;
  position: number;
  /** Whether somebody just asked for this one, to write in it. */
  focus: boolean;
  onAdd: () => void;
  onNext: () => void;
}

/** A program, what can be done with it, and what it did. */
export function CellView({ cell, position, focus, onAdd, onNext }: CellViewProps) {
  const { cells: book } = useDesk();
  const code = useObservable(cell.code);
  const place = useObservable(book.place);
  const number = useObservable(cell.number);
  const waits = useObservable(cell.waits);
  const view = useObservable(cell.watch.view);
  const self = useRef<HTMLLIElement>(null);
  const busy = waits || view.phase === "starting" || view.phase === "running";
  const runnable = !busy && code.trim() !== "" && place.thread.trim() !== "";

  useEffect(() => {
    if (focus) self.current?.scrollIntoView({ block: "nearest" });
  }, [focus]);

  const onKey = (event: KeyboardEvent) => {
    const wanted = event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey);
    if (wanted) {
      event.preventDefault();
      event.stopPropagation();
      if (runnable) void book.run(cell);
      if (event.shiftKey) onNext();
    } else if (event.key === "Escape" && busy) {
      void book.stop(cell);
    }
  };
  return (
    <li class="cell" ref={self} data-phase={waits ? "waiting" : view.phase} onKeyDownCapture={onKey}>
      <section aria-label={`Cell ${position}`}>
        <div class="cell-body">
          <span class="cell-number" title="Which program of the session this was when it ran last">
            {busy ? "[*]" : `[${number ?? " "}]`}
          </span>
          <div class="cell-program">
            <Editor
              language={place.language}
              code={code}
              onChange={(text) => cell.write(text)}
              focus={focus}
            />
          </div>
          <div class="cell-acts">
            {busy ? (
              <Button kind="danger" icon="stop" label="Stop (Esc)" onClick={() => void book.stop(cell)} />
            ) : (
              <Button
                kind="primary"
                icon="run"
                label={`Run (${RUN_KEYS})`}
                disabled={!runnable}
                onClick={() => void book.run(cell)}
              />
            )}
            <Button kind="quiet" icon="plus" label="Add cell below" onClick={onAdd} />
            <Button kind="quiet" icon="trash" label="Remove cell" onClick={() => void book.remove(cell)} />
          </div>
        </div>
        <CellResult cell={cell} />
      </section>
    </li>
  );
}
