import { useMemo, useState } from "preact/hooks";
import { plural } from "../text/format";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { type DiffRow, diff, folded, parts } from "./diff";

/** A server may send lines without end; nobody reads more of them at once. */
const ROWS_SHOWN = 500;

/** Two texts beside one another, or below where that is too narrow; signs tell what differs, not colour alone. */
export function DefinitionDiff({ name, before, after }: { name: string; before: string; after: string }) {
  const rows = useMemo(() => folded(diff(before, after)), [before, after]);
  const [most, setMost] = useState(ROWS_SHOWN);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <Scroll class="diff" name={`What differs in the definition of ${name}`}>
      <div class="diff-row diff-names">
        <span>Approved</span>
        <span>Now</span>
      </div>
      {rows.slice(0, most).map((row, at) =>
        row.kind !== "fold" ? (
          <Row key={at} row={row} />
        ) : unfolded.has(at) ? (
          row.rows.map((each, line) => <Row key={`${at}.${line}`} row={each} />)
        ) : (
          <button
            key={at}
            type="button"
            class="diff-fold"
            onClick={() => setUnfolded(new Set(unfolded).add(at))}
          >
            Show {plural(row.rows.length, "line")} without a difference
          </button>
        ),
      )}
      {rows.length > most && (
        <button type="button" class="diff-fold" onClick={() => setMost(most + ROWS_SHOWN)}>
          Show more of the {plural(rows.length - most, "line")} below
        </button>
      )}
    </Scroll>
  );
}

function Row({ row: { kind, before, after } }: { row: DiffRow }) {
  if (kind === "same") {
    return (
      <div class="diff-row same">
        <Line sign=" " text={before ?? ""} />
        <Line sign=" " text={after ?? ""} />
      </div>
    );
  }
  return (
    <div class="diff-row">
      {before === undefined ? (
        <span class="diff-none" />
      ) : (
        <del>
          <Line sign="−" text={before} other={after} />
        </del>
      )}
      {after === undefined ? (
        <span class="diff-none" />
      ) : (
        <ins>
          <Line sign="+" text={after} other={before} />
        </ins>
      )}
    </div>
  );
}

function Line({ sign, text, other }: { sign: string; text: string; other?: string | undefined }) {
  const [head, middle, tail] = other === undefined ? [text, "", ""] : parts(text, other);
  return (
    <span class="diff-line">
      <span class="diff-sign">{sign}</span>
      <span class="diff-text">
        <StrangeText text={head} />
        {middle !== "" && (
          <b>
            <StrangeText text={middle} />
          </b>
        )}
        <StrangeText text={tail} />
      </span>
    </span>
  );
}
