import type { Handed } from "../api/types";
import { tableOf } from "../text/csv";
import { bytes } from "../text/format";
import { DataTable } from "../ui/DataTable";
import { Scroll } from "../ui/Scroll";

/** What the program handed back as data: the value of its global `result`. */
export function Value({ handed }: { handed: Handed | undefined }) {
  const { data, data_file: file, data_note: note } = handed ?? {};
  if (data === undefined && file === undefined && note === undefined) {
    return null;
  }
  return (
    <section class="products" aria-label="Returned value">
      <h2>Returned as data</h2>
      {data !== undefined && <Data data={data} />}
      {file !== undefined && (
        <p class="faint">
          {bytes(file.bytes)} in the file <code>{file.path}</code>.
        </p>
      )}
      {note !== undefined && <p class="faint">{note}</p>}
    </section>
  );
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
