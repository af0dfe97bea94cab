import { useState } from "preact/hooks";
import type { ToolCall } from "../api/types";
import { may, useDesk } from "../shell/context";
import { bytes, duration, moment } from "../text/format";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { type Outcome, outcome } from "./outcome";
import { Reconcile } from "./Reconcile";
import type { Bar } from "./timeline";

interface CallRowProps {
  bar: Bar;
  open: boolean;
  onToggle: () => void;
}

/** One call in a line, and in full once somebody asks. */
export function CallRow({ bar, open, onToggle }: CallRowProps) {
  const { start } = bar;
  const [known, setKnown] = useState<ToolCall>();
  const call = bar.call.state === "unknown" && known !== undefined ? known : bar.call;
  const how = outcome(call);
  const [server, tool] = parted(call.tool);
  return (
    <li class="call" data-call={call.number} data-open={open}>
      <button type="button" class="call-line" aria-expanded={open} onClick={onToggle}>
        <span class="call-number">
          <Icon name="next" />
          {call.number}
        </span>
        <span class="call-tool">
          <span class="faint">{server}</span>
          <span>{tool}</span>
        </span>
        <span class={`call-key ${how.kind}`}>
          <Icon name={how.icon} />
          {how.word}
        </span>
        <span class="call-figures">
          <span class="number" title={moment(call.created_at)}>
            <span class="call-unit">at </span>+{duration(start)}
          </span>
          <span class="number">
            <span class="call-unit">took </span>
            {call.duration_ms === undefined ? "–" : duration(call.duration_ms)}
          </span>
          <span class="number">
            <span class="call-unit">sent </span>
            {bytes(call.argument_bytes)}
          </span>
          <span class="number">
            <span class="call-unit">received </span>
            {call.result_bytes === undefined ? "–" : bytes(call.result_bytes)}
          </span>
        </span>
      </button>
      {open && <Detail call={call} how={how} onKnown={setKnown} />}
    </li>
  );
}

interface DetailProps {
  call: ToolCall;
  how: Outcome;
  onKnown: (call: ToolCall) => void;
}

function Detail({ call, how, onKnown }: DetailProps) {
  const { who } = useDesk();
  const nothing = call.result_bytes === undefined ? "There is no result." : "The result was not kept.";
  return (
    <div class="call-detail">
      <p>
        {how.sentence} <span class="faint">{effectSentence(call.effect)}</span>
      </p>
      {call.state === "unknown" && may(who, "approve") && <Reconcile call={call} onKnown={onKnown} />}
      <div class="call-values">
        <Json
          name={`Arguments of call ${call.number}`}
          title="Arguments"
          value={call.arguments}
          none="The arguments were not kept."
        />
        <Json
          name={`Result of call ${call.number}`}
          title={call.failed ? "What it said" : "Result"}
          value={call.result}
          none={nothing}
        />
      </div>
      <p class="faint small">
        Call <code>{call.id}</code>
        {call.at !== undefined && (
          <>
            , made by line {call.at.line} of <StrangeText text={call.at.file} />, as the program says
          </>
        )}
      </p>
    </div>
  );
}

/** A value of others: text, whatever it says. */
function Json({ name, title, value, none }: { name: string; title: string; value: unknown; none: string }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <section>
      <header class="call-value-head">
        <h3>{title}</h3>
        {text !== undefined && <CopyButton text={text} />}
      </header>
      {text === undefined ? (
        <p class="faint">{none}</p>
      ) : (
        <Scroll class="text-preview" name={name}>
          <pre>
            <StrangeText text={text} />
          </pre>
        </Scroll>
      )}
    </section>
  );
}

function effectSentence(effect: string): string {
  switch (effect) {
    case "read":
      return "The tool only reads.";
    case "write":
      return "The tool changes things.";
    case "destroy":
      return "The tool can destroy things.";
    default:
      return "Nobody said what the tool changes.";
  }
}

/** The server of a tool, and its name there. */
export function parted(tool: string): [string, string] {
  const dot = tool.indexOf(".");
  return dot < 0 ? ["", tool] : [tool.slice(0, dot), tool.slice(dot + 1)];
}
