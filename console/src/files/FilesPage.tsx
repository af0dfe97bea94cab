import { useEffect } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useObservable } from "../lib/observable";
import { useDesk } from "../shell/context";
import { go, href } from "../shell/route";
import { ago, bytes, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Badge, Empty, Problem } from "../ui/parts";
import { ThreadView } from "./ThreadView";

/** The threads of this key, and the files of the chosen one. */
export function FilesPage({ rest }: { rest: string }) {
  const { server, connection } = useDesk();
  const returns = useObservable(connection.returns);
  const threads = useLoading(async () => (await server.threads()).threads, [server, returns]);
  const all = threads.value ?? [];
  const chosen = all.find(({ id }) => id === rest);

  useEffect(() => {
    const first = threads.value?.[0];
    if (rest === "" && first !== undefined) go("files", first.id);
  }, [rest, threads.value]);

  return (
    <div class="split">
      <nav class="side" aria-label="Threads">
        <div class="side-head">
          <h2>Threads</h2>
          <Button kind="quiet" icon="refresh" label="Load the threads again" onClick={threads.reload} />
        </div>
        <Problem text={threads.problem} />
        {threads.value?.length === 0 && <p class="faint small">A run with a thread makes one.</p>}
        <ul>
          {all.map((thread) => (
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
      </nav>
      {chosen !== undefined ? (
        <ThreadView key={chosen.id} thread={chosen} onChange={threads.reload} />
      ) : (
        <Empty title={rest === "" || threads.busy ? "No thread is open." : `There is no thread “${rest}”.`}>
          <p class="faint">
            Files a program leaves in its working directory stay with its thread and appear here.
          </p>
        </Empty>
      )}
    </div>
  );
}
