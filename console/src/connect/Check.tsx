import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import { listTools, REVISION, type Tool } from "../api/mcp";
import { useDesk } from "../shell/context";
import { duration, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Card, Notice, Problem } from "../ui/parts";

/** Asks the server for its tools as a client would. */
export function Check() {
  const { server } = useDesk();
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ tools: Tool[]; milliseconds: number }>();
  const [problem, setProblem] = useState<string>();

  const check = async () => {
    setBusy(true);
    setProblem(undefined);
    setFound(undefined);
    const began = performance.now();
    try {
      const tools = await listTools(server.client);
      setFound({ tools, milliseconds: performance.now() - began });
    } catch (error) {
      setProblem(explain(error));
    }
    setBusy(false);
  };

  return (
    <Card
      title="Connection test"
      aside={
        <Button kind="primary" icon="connect" disabled={busy} onClick={() => void check()}>
          {busy ? "Testing…" : "Test connection"}
        </Button>
      }
    >
      <p class="faint">
        Sends a real tools/list ({REVISION}) to this server with your key, as a client would.
      </p>
      <Problem text={problem} />
      {found !== undefined && (
        <>
          <Notice tone="good">
            Connected: {plural(found.tools.length, "tool")} in {duration(found.milliseconds)}.
          </Notice>
          <ul class="tools">
            {found.tools.map((tool) => (
              <li key={tool.name}>
                <code>{tool.name}</code> <span class="faint">{tool.title}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
