import { useState } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { plural } from "../text/format";
import { CopyButton } from "../ui/CopyButton";
import { Badge, Card, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { Tabs } from "../ui/Tabs";
import { hrefOf } from "./place";
import { TryCall } from "./TryCall";
import { effectWord, policyWord } from "./words";

const FORMATS = [
  { value: "python", text: "Python" },
  { value: "typescript", text: "TypeScript" },
  { value: "schema", text: "Schema" },
] as const;

type Format = (typeof FORMATS)[number]["value"];

/** One tool as models and programs see it. */
export function ToolView({ name }: { name: string }) {
  const { server } = useDesk();
  const [format, setFormat] = useState<Format>("python");
  const dot = name.indexOf(".");
  const [module, tool] = [name.slice(0, dot), name.slice(dot + 1)];
  const loaded = useLoading(() => server.tools.describe(module, tool, format), [server, name, format]);
  const found = loaded.value;
  if (found === undefined) {
    return (
      <div class="detail">
        {loaded.problem ? <Problem text={loaded.problem} /> : <p class="faint">Loading…</p>}
      </div>
    );
  }
  const stub = format === "schema" ? indented(found.stub) : found.stub;
  const [effect, policy] = [effectWord(found.effect), policyWord(found.policy)];
  return (
    <article class="detail" aria-label={name}>
      <a class="back" href={hrefOf("catalogue")}>
        ‹ All tools
      </a>
      <header class="detail-head">
        <h2 class="tool-title">
          <code>{found.tool}</code>
        </h2>
        <p class="tool-marks">
          <Badge tone={effect.tone}>{effect.word}</Badge>
          <Badge tone={policy.tone}>{`calls by this key: ${policy.word}`}</Badge>
          <span class="faint">Its definition takes {plural(found.tokens, "token")}.</span>
        </p>
      </header>
      <Card title="Description">
        <p class="tool-words">
          {found.description === "" ? (
            "It does not describe itself."
          ) : (
            <StrangeText text={found.description} />
          )}
        </p>
      </Card>
      <Card
        title="As programs see it"
        aside={
          <>
            <Tabs
              name="Language of the stub"
              value={format}
              tabs={[...FORMATS]}
              onChoose={setFormat}
              panel="tool-stub"
            />
            <CopyButton text={stub} />
          </>
        }
      >
        <div id="tool-stub" role="tabpanel" aria-label="Stub">
          <Scroll class="text-preview" name={`Stub of ${name}`}>
            <pre>
              <StrangeText text={stub} />
            </pre>
          </Scroll>
        </div>
      </Card>
      <TryCall module={module} tool={tool} schema={found.input_schema} denied={found.policy === "deny"} />
    </article>
  );
}

/** JSON for people, where it is JSON. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
