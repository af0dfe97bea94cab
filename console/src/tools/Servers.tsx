import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { UpstreamList, UpstreamSummary } from "../api/types";
import type { Loading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { go } from "../shell/route";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Empty, Problem } from "../ui/parts";
import { AddServer } from "./AddServer";
import { restOf } from "./place";
import { ServerCard } from "./ServerCard";

interface ServersProps {
  list: Loading<UpstreamList>;
  /** The id of the server that is shown in full. */
  open: string;
}

/** The servers whose tools are called here: their state, and what can be done about it. */
export function Servers({ list, open }: ServersProps) {
  const { server } = useDesk();
  const [adding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<UpstreamSummary>();
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const upstreams = list.value?.upstreams;

  const act = async (id: string, work: () => Promise<unknown>) => {
    setProblem(undefined);
    setBusy(id);
    // What it is doing meanwhile shows at once.
    setTimeout(list.reload, 300);
    await work().catch((error: unknown) => setProblem(`${id}: ${explain(error)}`));
    setBusy(undefined);
    list.reload();
  };

  return (
    <div class="page">
      <header class="toolbox-title">
        <div>
          <h2>Servers</h2>
          <p class="faint">Other MCP servers whose tools models and programs call here.</p>
        </div>
        <Button
          kind="primary"
          icon="plus"
          disabled={list.value === undefined}
          onClick={() => setAdding(true)}
        >
          Add a server
        </Button>
      </header>
      <Problem text={problem ?? list.problem} />
      {upstreams?.length === 0 && (
        <Empty title="No other server is known yet.">
          <p class="faint">Add one by its address here, or name it in the file of upstreams.file.</p>
        </Empty>
      )}
      <ul class="servers">
        {upstreams?.map((upstream) => (
          <ServerCard
            key={upstream.id}
            upstream={upstream}
            open={upstream.id === open}
            busy={busy === upstream.id}
            onAct={(what) => void act(upstream.id, () => server.tools.act(upstream.id, what))}
            onRemove={() => setDoomed(upstream)}
          />
        ))}
      </ul>
      {adding && (
        <AddServer
          commands={list.value?.commands_allowed ?? false}
          onAdded={(id) => {
            setAdding(false);
            list.reload();
            go("tools", restOf("servers", id));
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {doomed !== undefined && (
        <Confirm
          title={`Remove ${doomed.title}?`}
          text="Its tools can no longer be called, and every decision on them is forgotten. You cannot undo this."
          act="Remove"
          onYes={() => void act(doomed.id, () => server.tools.removeUpstream(doomed.id))}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}
