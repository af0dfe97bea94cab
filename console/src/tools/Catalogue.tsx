import { useEffect, useState } from "preact/hooks";
import type { ListedTool, ListedTools } from "../api/types";
import { type Pages, usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { plural } from "../text/format";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Badge, Empty, Problem } from "../ui/parts";
import { StrangeText } from "../ui/StrangeText";
import { hrefOf } from "./place";
import { ToolView } from "./ToolView";
import { driftWord, effectWord, policyWord } from "./words";

const PAUSE_MILLISECONDS = 250;

/** All tools that the key finds, and the search with which models find them. */
export function Catalogue({ name }: { name: string }) {
  const { server } = useDesk();
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [said, setSaid] = useState<ListedTools>();
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = usePages(
    async (cursor) => {
      const page = await server.tools.find(
        query === "" ? { limit: 100, ...(cursor && { cursor }) } : { q: query },
      );
      setSaid(page);
      return { items: page.tools, next: page.next_cursor };
    },
    [server, query],
  );
  return (
    <div class="split history catalogue" data-open={name !== ""}>
      <section class="side wide" aria-label="Tools">
        <Field name="Search as a model does, in the words of one step">
          <input
            type="search"
            value={typed}
            placeholder="find open issues"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
        <Problem text={found.problem} />
        {found.items === undefined && found.busy && <p class="faint small">Loading…</p>}
        {said !== undefined && found.items !== undefined && (
          <p class="faint small" aria-live="polite">
            {summary(query, said, found)}
          </p>
        )}
        <ol>
          {found.items?.map((tool) => (
            <Item key={tool.tool} tool={tool} open={tool.tool === name} searched={query !== ""} />
          ))}
        </ol>
        {found.more !== undefined && <Button onClick={found.more}>Show more tools</Button>}
      </section>
      {name === "" ? (
        <Empty title="No tool selected.">
          <p class="faint">Choose one to read what a model reads of it, and to try a call.</p>
        </Empty>
      ) : (
        <ToolView key={name} name={name} />
      )}
    </div>
  );
}

/** How much it is, in numbers and in tokens. */
function summary(query: string, said: ListedTools, { items = [], more }: Pages<ListedTool>): string {
  if (query === "") {
    const tokens = items.reduce((sum, tool) => sum + tool.tokens, 0);
    const all = more === undefined ? "All definitions" : `Definitions of the first ${items.length}`;
    return said.total === 0
      ? "This key finds no tools."
      : `${plural(said.total, "tool")}. ${all} take ${plural(tokens, "token")}.`;
  }
  if (items.length === 0) {
    return "A model that searches so finds nothing.";
  }
  const answer = said.search_tokens === undefined ? "" : `, in ${plural(said.search_tokens, "token")}`;
  return `A model gets ${items.length} of ${plural(said.total, "tool")}${answer}, the best first.`;
}

function Item({ tool, open, searched }: { tool: ListedTool; open: boolean; searched: boolean }) {
  const policy = policyWord(tool.policy);
  const drift = driftWord(tool.drifted_at);
  return (
    <li>
      <a class="side-item" href={hrefOf("catalogue", tool.tool)} aria-current={open ? "true" : undefined}>
        <span class="side-name">
          <code>
            <StrangeText text={tool.tool} />
          </code>
        </span>
        {searched && (
          <code class="tool-signature small">
            <StrangeText text={tool.signature} />
          </code>
        )}
        <span class="tool-about faint small">
          <StrangeText text={tool.description} />
        </span>
        <span class="tool-marks small">
          <span class="faint">{plural(tool.tokens, "token")}</span>
          <span class="faint">{effectWord(tool.effect).word}</span>
          {tool.policy !== "allow" && <Badge tone={policy.tone}>{policy.word}</Badge>}
          {drift !== undefined && <Badge tone="warn">{drift}</Badge>}
        </span>
      </a>
    </li>
  );
}
