import { useState } from "preact/hooks";
import type { ReviewedTool, UpstreamSummary } from "../api/types";
import { useLoading } from "../lib/loading";
import { usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Badge, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { ToolReview } from "./ToolReview";
import { effectWord, TOOL_STATES } from "./words";

/** The tools of a server, whatever was decided on them, and its entry. */
export function ServerDetail({ upstream }: { upstream: UpstreamSummary }) {
  const { server } = useDesk();
  const [open, setOpen] = useState<string>();
  // Its counts change when it was listed, or somebody decided.
  const counts = JSON.stringify(upstream.tools);
  const tools = usePages(
    async (cursor) => {
      const page = await server.tools.toolsOf(upstream.id, undefined, cursor);
      return { items: page.tools, next: page.next_cursor };
    },
    [server, upstream.id, counts],
  );
  const entry = useLoading(
    () => server.tools.upstream(upstream.id),
    [server, upstream.id, upstream.updated_at],
  );
  return (
    <div class="server-detail">
      <Problem text={tools.problem ?? entry.problem} />
      {tools.items?.length === 0 && <p class="faint">It has no tools, or was never listed.</p>}
      <ul class="reviewed">
        {tools.items?.map((tool) => (
          <li key={tool.name}>
            <ToolLine
              tool={tool}
              open={open === tool.name}
              onToggle={() => setOpen(open === tool.name ? undefined : tool.name)}
            />
            {open === tool.name && <ToolReview upstream={upstream} tool={tool} onDecided={tools.reload} />}
          </li>
        ))}
      </ul>
      {tools.more !== undefined && <Button onClick={tools.more}>Show more tools</Button>}
      {entry.value !== undefined && (
        <section>
          <h3>Entry</h3>
          <Scroll class="text-preview" name={`Entry of ${upstream.id}`}>
            <pre>
              <StrangeText text={JSON.stringify(entry.value.entry, null, 2)} />
            </pre>
          </Scroll>
        </section>
      )}
    </div>
  );
}

function ToolLine({ tool, open, onToggle }: { tool: ReviewedTool; open: boolean; onToggle: () => void }) {
  const state = TOOL_STATES[tool.state] ?? { tone: "quiet", word: tool.state };
  return (
    <button type="button" class="tool-line" aria-expanded={open} onClick={onToggle}>
      <Icon name="next" />
      <span class="tool-line-name">
        <StrangeText text={tool.name} />
      </span>
      <span class="faint small">{effectWord(tool.effect).word}</span>
      <Badge tone={state.tone}>{state.word}</Badge>
    </button>
  );
}
