import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { UpstreamList, UpstreamSummary } from "../api/types";
import type { Loading } from "../lib/loading";
import { usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { plural } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Empty, Problem } from "../ui/parts";
import { ToolReview } from "./ToolReview";
import { waiting } from "./words";

/** Everything that waits for a person, by the server it comes from. */
export function Review({ list }: { list: Loading<UpstreamList> }) {
  const upstreams = list.value?.upstreams.filter((upstream) => waiting(upstream) > 0);
  return (
    <div class="page">
      <header class="toolbox-title">
        <div>
          <h2>Review</h2>
          <p class="faint">
            A tool that is new, or is described otherwise than when it was approved, cannot be called until a
            person has read it: what it says is read by models.
          </p>
        </div>
      </header>
      <Problem text={list.problem} />
      {upstreams?.length === 0 && <Empty title="Nothing waits for review." />}
      {upstreams?.map((upstream) => (
        <OfServer key={upstream.id} upstream={upstream} onDecided={list.reload} />
      ))}
    </div>
  );
}

function OfServer({ upstream, onDecided }: { upstream: UpstreamSummary; onDecided: () => void }) {
  const { server } = useDesk();
  const [all, setAll] = useState(false);
  const [problem, setProblem] = useState<string>();
  const counts = JSON.stringify(upstream.tools);
  const changed = usePages(pageOf("changed"), [server, upstream.id, counts]);
  const fresh = usePages(pageOf("new"), [server, upstream.id, counts]);
  function pageOf(state: string) {
    return async (cursor?: string) => {
      const page = await server.tools.toolsOf(upstream.id, state, cursor);
      return { items: page.tools, next: page.next_cursor };
    };
  }
  const more = changed.more ?? fresh.more;
  const shown = [...(changed.items ?? []), ...(fresh.items ?? [])];
  const approve = () => {
    setProblem(undefined);
    server.tools.approve(upstream.id, shown).then(onDecided, (error: unknown) => {
      setProblem(explain(error));
      onDecided();
    });
  };
  return (
    <section class="review-server" aria-label={`Definitions of ${upstream.id}`}>
      <header>
        <h3>
          {upstream.title} <span class="faint">{plural(waiting(upstream), "definition")}</span>
        </h3>
        {shown.length > 1 && (
          <Button icon="check" onClick={() => setAll(true)}>
            Approve all {shown.length}
          </Button>
        )}
      </header>
      <Problem text={problem ?? changed.problem ?? fresh.problem} />
      {shown.map((tool) => (
        <article class="card" key={tool.name} aria-label={tool.name}>
          <ToolReview upstream={upstream} tool={tool} named onDecided={onDecided} />
        </article>
      ))}
      {more !== undefined && <Button onClick={more}>Show more definitions</Button>}
      {all && (
        <Confirm
          title={`Approve ${plural(shown.length, "definition")} of ${upstream.title}?`}
          text="Models read what they say, and their calls are allowed as far as the rules of this server go."
          act="Approve all"
          onYes={approve}
          onClose={() => setAll(false)}
        />
      )}
    </section>
  );
}
