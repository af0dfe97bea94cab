import { useState } from "preact/hooks";
import type { Stream } from "../api/types";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { bytes, plural } from "../text/format";
import { css } from "../text/palette";
import { Button } from "../ui/Button";
import { Tabs } from "../ui/Tabs";
import { VirtualList } from "../ui/VirtualList";
import type { OutputLog, Row } from "./output";
import { WholeOutput } from "./WholeOutput";

export const ROW_HEIGHT = 20;

type Only = "all" | Stream;

/** What the program writes, while it writes it. */
export function OutputPane() {
  const { run } = useDesk();
  const view = useObservable(run.view);
  const version = useObservable(run.progress);
  const [only, setOnly] = useState<Only>("all");
  const [whole, setWhole] = useState(false);
  const { head, tail } = run.output.shown(only === "all" ? undefined : only);
  const gap = run.output.dropped > 0 ? 1 : 0;
  const count = head.length + gap + tail.length;

  return (
    <div class="output">
      <div class="output-head">
        <Tabs<Only>
          name="Streams"
          panel="output"
          value={only}
          onChoose={setOnly}
          tabs={[
            { value: "all", text: "All output" },
            { value: "stdout", text: "stdout" },
            { value: "stderr", text: "stderr" },
          ]}
        />
        <span class="faint small">{written(run.output)}</span>
        {view.id !== undefined && count > 0 && (
          <Button kind="quiet" icon="file" onClick={() => setWhole(true)}>
            View all output
          </Button>
        )}
      </div>
      <div id="output" class="output-box" role="tabpanel" aria-label="Output">
        {count === 0 ? (
          <p class="faint output-none">
            {view.phase === "ended" ? "The program printed nothing." : "Output appears here."}
          </p>
        ) : (
          <VirtualList
            name="Output"
            count={count}
            rowHeight={ROW_HEIGHT}
            version={version}
            follow
            row={(index) =>
              index < head.length ? (
                <OutputRow key={index} row={head[index]} />
              ) : gap === 1 && index === head.length ? (
                <div key="gap" class="out-row cut">
                  … {plural(run.output.dropped, "line")} not shown here; “View all output” has them …
                </div>
              ) : (
                <OutputRow key={index} row={tail[index - head.length - gap]} />
              )
            }
          />
        )}
      </div>
      {whole && view.id !== undefined && <WholeOutput id={view.id} onClose={() => setWhole(false)} />}
    </div>
  );
}

export function OutputRow({ row }: { row: Row | undefined }) {
  return (
    <div class={`out-row ${row?.stream ?? ""}`}>
      {row?.spans.map((span, at) => (
        <span key={at} style={css(span.style)}>
          {span.text}
        </span>
      ))}
    </div>
  );
}

function written(output: OutputLog): string {
  const total = output.offsets.stdout + output.offsets.stderr;
  return total === 0 ? "" : `${bytes(total)}, ${plural(output.rows, "line")}`;
}
