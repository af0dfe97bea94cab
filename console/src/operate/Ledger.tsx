import { useState } from "preact/hooks";
import type { LedgerEntry } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { duration, moment } from "../text/format";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Card, Problem, StatusBadge } from "../ui/parts";
import { Scroll } from "../ui/Scroll";

/** Enough of a hash to tell two apart; all of it is in its title. */
const HASH_SHOWN = 12;

const COLUMNS: Record<string, string> = {
  sequence: "Number",
  time: "Time",
  caller: "Key",
  door: "Door",
  tool: "Tool",
  status: "Status",
  duration_micros: "Duration",
  hash: "Hash",
};

/** The record of every call, as it is chained. */
export function Ledger() {
  const { server } = useDesk();
  const [filter, setFilter] = useState({ tool: "", caller: "", status: "" });
  const [after, setAfter] = useState<(string | undefined)[]>([undefined]);
  const page = useLoading(
    () => server.ledger({ ...filter, after: after.at(-1), limit: 50 }),
    [server, filter, after],
  );
  const narrow = (change: Partial<typeof filter>) => {
    setFilter({ ...filter, ...change });
    setAfter([undefined]);
  };
  const next = page.value?.next_cursor;
  return (
    <Card
      title="Ledger"
      aside={<Button kind="quiet" icon="refresh" label="Refresh ledger" onClick={page.reload} />}
    >
      <p class="faint">
        Every call, including refused ones, newest first. Each entry holds the hash of the previous entry;{" "}
        <code>caisson ledger verify</code> checks the chain.
      </p>
      <div class="row">
        {(["tool", "caller", "status"] as const).map((name) => (
          <Field key={name} name={`Filter by ${COLUMNS[name]?.toLowerCase()}`}>
            <input
              value={filter[name]}
              placeholder="any"
              onChange={(event) => narrow({ [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
      </div>
      <Problem text={page.problem} />
      <Scroll class="table-box" name="Ledger entries">
        <table class="table">
          <thead>
            <tr>
              {Object.entries(COLUMNS).map(([column, name]) => (
                <th key={column} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.value?.entries.map((entry, at) => (
              <tr key={at}>
                {Object.keys(COLUMNS).map((column) => (
                  <td key={column} class="whole-words">
                    {cell(entry, column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {page.value?.entries.length === 0 && (
        <p class="faint">
          {next === undefined ? "No entry matches." : "No entry matches here. Look at older ones."}
        </p>
      )}
      <div class="row end">
        <Button disabled={after.length < 2} onClick={() => setAfter(after.slice(0, -1))}>
          Newer
        </Button>
        <Button disabled={next === undefined} onClick={() => setAfter([...after, next])}>
          Older
        </Button>
      </div>
    </Card>
  );
}

function cell(entry: LedgerEntry, column: string) {
  const value = column === "caller" ? (entry.caller_name ?? entry.caller) : entry[column];
  if (value === undefined || value === null) {
    return "";
  }
  if (column === "status") {
    return <StatusBadge status={String(value)} />;
  }
  if (column === "time") {
    return moment(String(value));
  }
  if (column === "duration_micros") {
    return duration(Number(value) / 1000);
  }
  if (column === "hash") {
    return <code title={String(value)}>{String(value).slice(0, HASH_SHOWN)}</code>;
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
