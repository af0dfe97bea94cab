import { useEffect, useRef } from "preact/hooks";
import { useObservable } from "../lib/observable";
import { chosenRunner, packageOptions, runnerOptions, runnerWord } from "../run/packages";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Choice, Field } from "../ui/Field";
import { Notice } from "../ui/parts";
import { CellView } from "./CellView";
import type { Cell } from "./cell";

/** Programs that share their variables, each with what it did below it. */
export function CellsPage() {
  const { cells: book } = useDesk();
  const cells = useObservable(book.cells);
  const note = useObservable(book.note);
  const wanted = useRef<Cell>();
  useEffect(() => {
    void book.resume();
  }, [book]);

  const add = (behind?: Cell) => {
    wanted.current = book.add(behind);
  };
  return (
    <div class="cells">
      <PlaceBar />
      {note !== undefined && <Notice tone="info">{note}</Notice>}
      <ol class="cell-list" aria-label="Cells">
        {cells.map((cell, at) => (
          <CellView
            key={cell.key}
            cell={cell}
            position={at + 1}
            focus={wanted.current === cell}
            onAdd={() => add(cell)}
            onNext={() => {
              wanted.current = book.next(cell);
            }}
          />
        ))}
      </ol>
      <div class="row">
        <Button icon="plus" onClick={() => add()}>
          Add cell
        </Button>
      </div>
    </div>
  );
}

/** Where the cells run. */
function PlaceBar() {
  const { cells: book, runners } = useDesk();
  const place = useObservable(book.place);
  const packages = packageOptions(runners);
  return (
    <div class="row cells-bar">
      <Choice
        name="Language"
        value={runnerWord(place.language, place.image || undefined)}
        options={runnerOptions(runners)}
        onChoose={(word) => book.settle({ image: "", ...chosenRunner(word) })}
      />
      <Field name="Thread" hint="Its session keeps the variables, and its workspace the files.">
        <input
          value={place.thread}
          spellcheck={false}
          onInput={(event) => book.settle({ thread: event.currentTarget.value })}
        />
      </Field>
      {packages.length > 2 && place.image === "" && (
        <Choice
          name="Packages"
          value={place.environment}
          options={packages}
          onChoose={(environment) => book.settle({ environment })}
        />
      )}
      <Button icon="run" onClick={() => void book.runAll()} disabled={place.thread.trim() === ""}>
        Run all
      </Button>
      <Button icon="refresh" onClick={() => void book.restart()} disabled={place.thread.trim() === ""}>
        End session
      </Button>
    </div>
  );
}
