import { useState } from "preact/hooks";
import type { Stream } from "../api/types";
import { useLoading } from "../lib/loading";
import { readAll, saveText, stretchOf } from "../lib/whole";
import { useDesk } from "../shell/context";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../ui/parts";
import { Tabs } from "../ui/Tabs";
import { VirtualList } from "../ui/VirtualList";
import { OutputRow, ROW_HEIGHT } from "./OutputPane";
import { plainRows } from "./plain";

const PAGE_BYTES = 256 << 10;

/** All a run wrote, page by page from the server, which keeps it; or as a file. */
export function WholeOutput({ id, onClose }: { id: string; onClose: () => void }) {
  const { server } = useDesk();
  const [stream, setStream] = useState<Stream>("stdout");
  const [starts, setStarts] = useState<number[]>([0]);
  const [saving, setSaving] = useState<string>();
  const offset = starts.at(-1) ?? 0;
  const page = useLoading(() => server.output(id, stream, offset, PAGE_BYTES), [id, stream, offset]);
  const { text, next } = stretchOf(page.value ?? {}, stream, offset);
  const rows = plainRows(stream, text);

  const save = async () => {
    setSaving("Fetching…");
    await readAll(server, id, stream, (done) => setSaving(`Fetching… ${bytes(done)}`)).then(
      (pieces) => saveText(`${id}-${stream}.txt`, pieces),
      (error: unknown) => setSaving(String(error)),
    );
    setSaving(undefined);
  };

  return (
    <Dialog title="All output" wide onClose={onClose}>
      <div class="row">
        <Tabs<Stream>
          name="Stream"
          panel="whole"
          value={stream}
          onChoose={(chosen) => {
            setStream(chosen);
            setStarts([0]);
          }}
          tabs={[
            { value: "stdout", text: "stdout" },
            { value: "stderr", text: "stderr" },
          ]}
        />
        <span class="faint small">
          from byte {offset.toLocaleString("en")}
          {next === undefined ? " to the end" : ` to ${next.toLocaleString("en")}`}
        </span>
        <Button kind="quiet" icon="down" disabled={saving !== undefined} onClick={() => void save()}>
          {saving ?? "Save as file"}
        </Button>
      </div>
      <Problem text={page.problem} />
      <div id="whole" class="output-box whole" role="tabpanel" aria-label={`All of ${stream}`}>
        <VirtualList
          key={`${stream}${offset}`}
          name={`All of ${stream}`}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          version={offset}
          row={(index) => <OutputRow key={index} row={rows[index]} />}
        />
      </div>
      <div class="row end">
        <Button disabled={starts.length < 2} onClick={() => setStarts(starts.slice(0, -1))}>
          Previous
        </Button>
        <Button
          disabled={next === undefined}
          onClick={() => next !== undefined && setStarts([...starts, next])}
        >
          Next
        </Button>
      </div>
    </Dialog>
  );
}
