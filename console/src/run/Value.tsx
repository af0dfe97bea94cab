import { useState } from "preact/hooks";
import type { Handed } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { tableOf } from "../text/csv";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { DataTable } from "../ui/DataTable";
import { Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { shownValue, VALUE_BYTES_MAX } from "./returned";

/** What the program handed back as data: the value of its global `result`, or the last line of its output. */
export function Value({ handed, id }: { handed: Handed | undefined | null; id: string | undefined }) {
  const shown = shownValue(handed);
  if (shown === undefined) {
    return null;
  }
  const { data, keptBytes, file, note } = shown;
  return (
    <section class="products" aria-label="Returned value">
      <h2>Returned value</h2>
      {data !== undefined && <Data data={data} />}
      {file !== undefined && (
        <p class="faint">
          {bytes(file.bytes)} in the file <code>{file.path}</code>.
        </p>
      )}
      {note !== undefined && <p class="faint">{note}</p>}
      {keptBytes > 0 && keptBytes <= VALUE_BYTES_MAX && id !== undefined && (
        <Kept key={id} id={id} size={keptBytes} />
      )}
    </section>
  );
}

/** A value that is kept apart: read when it is asked for. */
function Kept({ id, size }: { id: string; size: number }) {
  const [asked, setAsked] = useState(false);
  return asked ? (
    <Fetched id={id} />
  ) : (
    <Button onClick={() => setAsked(true)}>Show the value ({bytes(size)})</Button>
  );
}

function Fetched({ id }: { id: string }) {
  const { server } = useDesk();
  const { value, problem } = useLoading(() => server.value(id), [server, id]);
  if (problem) {
    return <Problem text={problem} />;
  }
  if (value === undefined) {
    return <p class="faint">Loading…</p>;
  }
  return value.data_note ? <p class="faint">{value.data_note}</p> : <Data data={value.data} />;
}

function Data({ data }: { data: unknown }) {
  const table = tableOf(data);
  return table !== undefined ? (
    <DataTable name="the returned value" table={table} />
  ) : (
    <Scroll class="text-preview" name="The returned value">
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </Scroll>
  );
}
