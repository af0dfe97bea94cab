import { useEffect, useState } from "preact/hooks";
import type { Summary } from "../api/types";
import { useObservable } from "../lib/observable";
import { usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { href } from "../shell/route";
import { ago, duration, moment } from "../text/format";
import { languageName } from "../text/words";
import { Button } from "../ui/Button";
import { Empty, Problem, StatusBadge } from "../ui/parts";
import { ExecutionView } from "./ExecutionView";
import { type Filter, Filters, NO_FILTER } from "./Filters";

/** What this key has had run, or every key for an operator, newest first. */
export function HistoryPage({ rest }: { rest: string }) {
  const { server, connection } = useDesk();
  const returns = useObservable(connection.returns);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const { items, problem, more, reload } = usePages(
    async (cursor) => {
      const answer = await server.executions({ ...filter, limit: 50, cursor });
      return { items: answer.executions, next: answer.next_cursor };
    },
    [server, filter, returns],
  );
  const going = items?.some(({ status }) => status === "running") ?? false;

  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(reload, 2000);
    return () => clearTimeout(timer);
  }, [going, items, reload]);

  return (
    <div class="split history" data-open={rest !== ""}>
      <section class="side wide" aria-label="Executions">
        <Filters filter={filter} onChange={setFilter} onReload={reload} />
        <Problem text={problem} />
        {items?.length === 0 && <Nothing filtered={filter !== NO_FILTER} soFar={more !== undefined} />}
        <ul>
          {items?.map((execution) => (
            <Item
              key={execution.run_id}
              execution={execution}
              open={execution.run_id === rest}
              named={filter.all}
            />
          ))}
        </ul>
        {more !== undefined && (
          <Button onClick={more}>{items?.length === 0 ? "Search older" : "Show older"}</Button>
        )}
      </section>
      {rest === "" ? (
        <Empty title="No execution selected.">
          <p class="faint">Choose one to see its program, output, files and figures.</p>
        </Empty>
      ) : (
        <ExecutionView key={rest} id={rest} />
      )}
    </div>
  );
}

/** A search ends after a while, before it has looked at everything. */
function Nothing({ filtered, soFar }: { filtered: boolean; soFar: boolean }) {
  return filtered ? (
    <p class="faint">{soFar ? "No match among the newest executions." : "No execution matches."}</p>
  ) : (
    <p class="faint">
      This key has not run anything yet. <a href={href("run")}>Run a program</a>
    </p>
  );
}

function Item({ execution, open, named }: { execution: Summary; open: boolean; named: boolean }) {
  return (
    <li>
      <a class="side-item" href={href("history", execution.run_id)} aria-current={open ? "true" : undefined}>
        <span class="side-name">
          <StatusBadge status={execution.status} /> <span>{languageName(execution.language)}</span>
          {execution.duration_ms !== undefined && (
            <span class="faint">{duration(execution.duration_ms)}</span>
          )}
        </span>
        <code class="side-code">{execution.code_preview}</code>
        <span class="faint small" title={moment(execution.created_at)}>
          {named && `${execution.caller} · `}
          {ago(execution.created_at)}
          {execution.thread_id !== undefined && ` · thread ${execution.thread_id}`}
        </span>
      </a>
    </li>
  );
}
