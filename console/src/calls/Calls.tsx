import { useRef, useState } from "preact/hooks";
import type { Execution, ToolCall } from "../api/types";
import { usePages } from "../lib/pages";
import { may, useDesk } from "../shell/context";
import { bytes, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Card, Problem } from "../ui/parts";
import { CallRow } from "./CallRow";
import { Lanes } from "./Lanes";
import { type Outcome, outcome } from "./outcome";
import { timeline } from "./timeline";

/** The calls of other servers' tools that a program made, on the time of its run and one by one. */
export function Calls({ execution }: { execution: Execution }) {
  const { server, who } = useDesk();
  const id = execution.run_id;
  const { items, problem, more } = usePages(
    async (cursor) => {
      const answer = await server.calls(id, cursor);
      return { items: answer.calls, next: answer.next_cursor };
    },
    // One that still runs is looked at again and again: each time it may have made more.
    [server, id, execution],
  );
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLUListElement>(null);

  const toggle = (number: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  const show = (number: number) => {
    setOpen((before) => new Set(before).add(number));
    requestAnimationFrame(() => {
      const row = list.current?.querySelector<HTMLElement>(`[data-call="${number}"]`);
      row?.scrollIntoView({ block: "nearest" });
      row?.querySelector("button")?.focus({ preventScroll: true });
    });
  };

  if (items === undefined && problem === undefined) return null;
  if (items?.length === 0) {
    return may(who, "tools") ? (
      <Card title="Tool calls">
        <p class="faint">This program called no tools of other servers.</p>
      </Card>
    ) : null;
  }
  const drawn = items && timeline(execution, items);
  return (
    <Card title="Tool calls" aside={items && <Summary calls={items} whole={more === undefined} />}>
      <Problem text={problem} />
      {drawn && <Lanes drawn={drawn} open={open} onShow={show} />}
      {drawn && (
        <div class="calls">
          <div class="call-line call-names" aria-hidden="true">
            <span>#</span>
            <span>Tool</span>
            <span>Outcome</span>
            <span>Started</span>
            <span>Took</span>
            <span>Sent</span>
            <span>Received</span>
          </div>
          <ul ref={list}>
            {drawn.bars.map((bar) => (
              <CallRow
                key={bar.call.id}
                bar={bar}
                open={open.has(bar.call.number)}
                onToggle={() => toggle(bar.call.number)}
              />
            ))}
          </ul>
        </div>
      )}
      {more !== undefined && <Button onClick={more}>Show later calls</Button>}
    </Card>
  );
}

/** How many there were of each outcome, and how much came and went. */
function Summary({ calls, whole }: { calls: ToolCall[]; whole: boolean }) {
  const counts = new Map<string, { how: Outcome; count: number }>();
  for (const call of calls) {
    const how = outcome(call);
    const before = counts.get(how.kind);
    counts.set(how.kind, { how, count: 1 + (before?.count ?? 0) });
  }
  const received = calls.reduce((sum, call) => sum + (call.result_bytes ?? 0), 0);
  return (
    <ul class="call-summary small" aria-label="Outcomes of the calls">
      {[...counts.values()].map(({ how, count }) => (
        <li key={how.kind} class={`call-key ${how.kind}`}>
          <Icon name={how.icon} />
          {count} {how.word.toLowerCase()}
        </li>
      ))}
      <li class="faint">
        {whole ? "" : "the first "}
        {plural(calls.length, "call")}, {bytes(received)} received
      </li>
    </ul>
  );
}
