import { useEffect, useState } from "preact/hooks";
import type { Summary } from "../api/types";
import { useLoading } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { href } from "../shell/route";
import { ago, duration, moment } from "../text/format";
import { Button } from "../ui/Button";
import { Empty, Problem, StatusBadge } from "../ui/parts";
import { ExecutionView } from "./ExecutionView";
import { type Filter, Filters, NO_FILTER } from "./Filters";

/** What this key has had run, newest first. */
export function HistoryPage({ rest }: { rest: string }) {
  const { server, connection } = useDesk();
  const returns = useObservable(connection.returns);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [more, setMore] = useState<Summary[]>([]);
  const [cursor, setCursor] = useState<string>();
  const first = useLoading(async () => {
    const answer = await server.executions({ ...filter, limit: 50 });
    setMore([]);
    setCursor(answer.next_cursor);
    return answer.executions;
  }, [server, filter, returns]);
  const older = async () => {
    const answer = await server.executions({ ...filter, limit: 50, cursor });
    setMore([...more, ...answer.executions]);
    setCursor(answer.next_cursor);
  };
  const all = [...(first.value ?? []), ...more];
  const going = all.some(({ status }) => status === "running");

  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(first.reload, 2000);
    return () => clearTimeout(timer);
  }, [going, first.reload]);

  return (
    <div class="split history" data-open={rest !== ""}>
      <section class="side wide" aria-label="Executions">
        <Filters filter={filter} onChange={setFilter} onReload={first.reload} />
        <Problem text={first.problem} />
        {first.value?.length === 0 && <p class="faint small">Nothing matches.</p>}
        <ul>
          {all.map((execution) => (
            <Item key={execution.run_id} execution={execution} open={execution.run_id === rest} />
          ))}
        </ul>
        {cursor !== undefined && <Button onClick={() => void older()}>Show older ones</Button>}
      </section>
      {rest === "" ? (
        <Empty title="No execution is open.">
          <p class="faint">Choose one to see its program, output, files and figures.</p>
        </Empty>
      ) : (
        <ExecutionView key={rest} id={rest} />
      )}
    </div>
  );
}

function Item({ execution, open }: { execution: Summary; open: boolean }) {
  return (
    <li>
      <a class="side-item" href={href("history", execution.run_id)} aria-current={open ? "true" : undefined}>
        <span class="side-name">
          <StatusBadge status={execution.status} /> <span>{execution.language}</span>
          {execution.duration_ms !== undefined && (
            <span class="faint">{duration(execution.duration_ms)}</span>
          )}
        </span>
        <code class="side-code">{execution.code_preview}</code>
        <span class="faint small" title={moment(execution.created_at)}>
          {ago(execution.created_at)}
          {execution.thread_id !== undefined && ` · thread ${execution.thread_id}`}
        </span>
      </a>
    </li>
  );
}
