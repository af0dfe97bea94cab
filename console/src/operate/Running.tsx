import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import { useEvery, useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { href } from "../shell/route";
import { ago } from "../text/format";
import { languageName } from "../text/words";
import { Button } from "../ui/Button";
import { Card, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";

const PERIOD_MILLISECONDS = 2000;
const SHOWN = 50;

/** Programs of all keys that run now, with a button that stops each. */
export function Running() {
  const { server } = useDesk();
  const loaded = useLoading(
    () => server.executions({ status: "running", all: true, limit: SHOWN }),
    [server],
  );
  const [problem, setProblem] = useState<string>();
  useEvery(PERIOD_MILLISECONDS, loaded.reload);
  const stop = (id: string) => {
    setProblem(undefined);
    server.cancel(id).then(loaded.reload, (error: unknown) => setProblem(explain(error)));
  };
  const programs = loaded.value?.executions ?? [];
  return (
    <Card title="Running programs">
      <Problem text={problem ?? loaded.problem} />
      {loaded.value !== undefined && programs.length === 0 && <p class="faint">No program is running.</p>}
      {programs.length > 0 && (
        <Scroll class="table-box" name="Running programs">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Language</th>
                <th scope="col">Thread</th>
                <th scope="col">Started</th>
                <th scope="col">Program</th>
                <th scope="col">Stop</th>
              </tr>
            </thead>
            <tbody>
              {programs.map((program) => (
                <tr key={program.run_id}>
                  <td>{program.caller}</td>
                  <td>{languageName(program.language)}</td>
                  <td>{program.thread_id}</td>
                  <td class="whole-words">{ago(program.created_at)}</td>
                  <td>
                    <a href={href("history", program.run_id)}>
                      <code>{program.code_preview}</code>
                    </a>
                  </td>
                  <td>
                    <Button
                      kind="quiet"
                      icon="stop"
                      label={`Stop ${program.run_id}`}
                      onClick={() => stop(program.run_id)}
                    >
                      Stop
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  );
}
