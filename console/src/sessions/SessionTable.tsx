import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { SessionInfo } from "../api/types";
import { useEvery, useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { bytes, duration, moment } from "../text/format";
import { languageName } from "../text/words";
import { Button } from "../ui/Button";
import { Badge, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";

const PERIOD_MILLISECONDS = 3000;

/** Live sessions, with a button that ends each: those of this key, or of all keys for an operator. */
export function SessionTable({ all = false }: { all?: boolean }) {
  const { server } = useDesk();
  const loaded = useLoading(async () => (await server.sessions(all)).sessions, [server, all]);
  const [problem, setProblem] = useState<string>();
  useEvery(PERIOD_MILLISECONDS, loaded.reload);
  const end = (session: SessionInfo) => {
    setProblem(undefined);
    server.endSession(session.id, all).then(loaded.reload, (error: unknown) => setProblem(explain(error)));
  };
  const sessions = loaded.value ?? [];
  return (
    <>
      <Problem text={problem ?? loaded.problem} />
      {loaded.value?.length === 0 && <p class="faint small">No session is alive.</p>}
      {sessions.length > 0 && (
        <Scroll class="table-box" name="Live sessions">
          <table class="table">
            <thead>
              <tr>
                {all && <th scope="col">Key</th>}
                <th scope="col">Thread</th>
                <th scope="col">Language</th>
                <th scope="col">Begun</th>
                <th scope="col">Last used</th>
                <th scope="col">Idle</th>
                <th scope="col">Memory</th>
                <th scope="col">End</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => (
                <tr key={session.id}>
                  {all && <td>{session.caller}</td>}
                  <td>{session.thread_id}</td>
                  <td>{languageName(session.language)}</td>
                  <td class="whole-words">{moment(session.begun_at)}</td>
                  <td class="whole-words">{moment(session.last_used_at)}</td>
                  <td>
                    {session.busy ? <Badge tone="good">in use</Badge> : duration(session.idle_s * 1000)}
                  </td>
                  <td>{session.memory_bytes === undefined ? "" : bytes(session.memory_bytes)}</td>
                  <td>
                    <Button
                      kind="quiet"
                      icon="stop"
                      label={`End session of ${session.thread_id} in ${languageName(session.language)}`}
                      onClick={() => end(session)}
                    >
                      End
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
