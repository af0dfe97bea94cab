import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { Effect, ReviewedTool, UpstreamSummary } from "../api/types";
import { useDesk } from "../shell/context";
import { moment, plural } from "../text/format";
import { hiddenCount } from "../text/hidden";
import { Button } from "../ui/Button";
import { Choice } from "../ui/Field";
import { Badge, Notice, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { DefinitionDiff } from "./DefinitionDiff";
import { changes, definitionText } from "./definition";
import { effectWord, TOOL_STATES } from "./words";

interface ToolReviewProps {
  upstream: UpstreamSummary;
  tool: ReviewedTool;
  /** Whether its name and state are to be shown, too. */
  named?: boolean;
  onDecided: () => void;
}

/** A definition as the server sent it, beside the one that was approved, and the decision on it. */
export function ToolReview({ upstream, tool, named = false, onDecided }: ToolReviewProps) {
  const { server } = useDesk();
  const [effect, setEffect] = useState<Effect | "">("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const now = definitionText(tool.definition);
  const before = tool.approved_definition;
  const unseen = hiddenCount(now);
  const state = TOOL_STATES[tool.state] ?? { tone: "quiet", word: tool.state };

  const decide = async (decision: "approve" | "refuse") => {
    setBusy(true);
    setProblem(undefined);
    const said = decision === "approve" && effect !== "" ? { decision, effect } : { decision };
    await server.tools.review(upstream.id, tool, said).catch((error: unknown) => setProblem(explain(error)));
    setBusy(false);
    onDecided();
  };

  return (
    <div class="tool-review">
      {named && (
        <h4>
          <StrangeText text={tool.name} /> <Badge tone={state.tone}>{state.word}</Badge>
        </h4>
      )}
      {before !== undefined && tool.state === "changed" && (
        <ul class="review-changes">
          {changes(before, tool.definition).map((sentence) => (
            <li key={sentence}>
              <StrangeText text={sentence} />
            </li>
          ))}
        </ul>
      )}
      {unseen > 0 && (
        <Notice tone="bad">
          {plural(unseen, "character")} in it cannot be seen by people. {unseen === 1 ? "It is" : "They are"}{" "}
          marked below.
        </Notice>
      )}
      {tool.reason !== undefined && (
        <Notice tone="warn">
          <StrangeText text={tool.reason} />
        </Notice>
      )}
      {before === undefined ? (
        <Scroll class="text-preview" name={`Definition of ${tool.name}`}>
          <pre>
            <StrangeText text={now} />
          </pre>
        </Scroll>
      ) : (
        <DefinitionDiff name={tool.name} before={definitionText(before)} after={now} />
      )}
      <Problem text={problem} />
      <div class="row review-acts">
        {tool.state !== "approved" && tool.state !== "removed" && (
          <>
            <Choice
              name="What its calls may do"
              value={effect}
              options={[
                { value: "", text: `As it stands: ${effectWord(tool.effect).word}` },
                { value: "read", text: "It only reads" },
                { value: "write", text: "It changes things" },
                { value: "destroy", text: "It may destroy things" },
              ]}
              onChoose={(chosen) => setEffect(chosen as Effect | "")}
            />
            <Button
              kind="primary"
              icon="check"
              label={`Approve ${tool.name}`}
              disabled={busy}
              onClick={() => void decide("approve")}
            >
              Approve
            </Button>
          </>
        )}
        {tool.state !== "refused" && tool.state !== "removed" && (
          <Button
            kind="danger"
            icon="cross"
            label={`Refuse ${tool.name}`}
            disabled={busy}
            onClick={() => void decide("refuse")}
          >
            Refuse
          </Button>
        )}
        <span class="faint small review-when">
          {tool.reviewed_at === undefined
            ? `First seen ${moment(tool.seen_at)}`
            : `Last decision: ${moment(tool.reviewed_at)}, by ${tool.reviewed_by ?? "nobody"}`}
        </span>
      </div>
    </div>
  );
}
