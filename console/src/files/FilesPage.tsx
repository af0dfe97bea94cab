import { useEffect } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { go, href } from "../shell/route";
import { ago, bytes, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Badge, Empty, Problem } from "../ui/parts";
import { Dropzone } from "./Dropzone";
import { ThreadView } from "./ThreadView";

/** The threads of this key, and the files of the chosen one. */
export function FilesPage({ rest }: { rest: string }) {
  const { server, connection } = useDesk();
  const returns = useObservable(connection.returns);
  const { items, problem, more, reload } = usePages(
    async (cursor) => {
      const answer = await server.threads(cursor);
      return { items: answer.threads, next: answer.next_cursor };
    },
    [server, returns],
  );
  const listed = items?.find(({ id }) => id === rest);
  // One that is not on the pages read so far is asked for by its name.
  const asked = useLoading(
    async () => (rest === "" || items === undefined || listed ? undefined : await server.thread(rest)),
    [server, rest, items === undefined, listed === undefined],
  );
  const chosen = listed ?? (asked.value?.id === rest ? asked.value : undefined);
  const changed = () => {
    reload();
    asked.reload();
  };

  useEffect(() => {
    const first = items?.[0];
    if (rest === "" && first !== undefined) go("files", first.id);
  }, [rest, items]);

  return (
    <div class="split">
      <nav class="side" aria-label="Threads">
        <div class="side-head">
          <h2>Threads</h2>
          <Button kind="quiet" icon="refresh" label="Refresh threads" onClick={reload} />
        </div>
        <Problem text={problem} />
        {items?.length === 0 && <p class="faint small">None yet. A run with a thread makes one.</p>}
        <ul>
          {items?.map((thread) => (
            <li key={thread.id}>
              <a
                class="side-item"
                href={href("files", thread.id)}
                aria-current={thread.id === rest ? "true" : undefined}
              >
                <span class="side-name">
                  {thread.id} {thread.busy && <Badge tone="busy">in use</Badge>}
                </span>
                <span class="faint small">
                  {plural(thread.files_used, "file")}, {bytes(thread.bytes_used)} · {ago(thread.modified_at)}
                </span>
              </a>
            </li>
          ))}
        </ul>
        {more !== undefined && <Button onClick={more}>Show more threads</Button>}
      </nav>
      {chosen !== undefined ? (
        <ThreadView key={chosen.id} thread={chosen} onChange={changed} />
      ) : asked.problem !== undefined ? (
        <Empty title={`There is no thread “${rest}”.`} />
      ) : items?.length === 0 ? (
        <Beginning onDone={reload} />
      ) : null}
    </div>
  );
}

/** Files can be there before the first program: they begin the thread the next run works in. */
function Beginning({ onDone }: { onDone: () => void }) {
  const { run } = useDesk();
  const thread = useObservable(run.draft).thread.trim() || "console";
  const done = () => {
    go("files", thread);
    onDone();
  };
  return (
    <Empty title="No files yet.">
      <p class="faint">
        Files in the working directory of a program stay with its thread and appear here. You can also bring
        some: they will be in the thread “{thread}”.
      </p>
      <Dropzone thread={thread} onDone={done} />
    </Empty>
  );
}
