import type { ToolCall } from "../api/types";
import type { Tone } from "../text/words";
import type { IconName } from "../ui/Icon";

/** How a call ended: told by a word, a colour and a shape. */
export interface Outcome {
  kind: "done" | "failed" | "denied" | "refused" | "notsent" | "unknown" | "going";
  word: string;
  tone: Tone;
  icon: IconName;
  /** What it means, for a person. */
  sentence: string;
}

export function outcome(call: Pick<ToolCall, "state" | "failed" | "error" | "reconciled">): Outcome {
  const found = call.reconciled;
  if (found !== undefined) {
    const by = found.how === "person" ? found.by : `${found.by} (${found.how})`;
    return call.state === "done"
      ? { ...done(), sentence: `No answer came, but it happened: ${by} found out.` }
      : {
          ...notSent(),
          word: "Did not happen",
          sentence: `No answer came, and it did not happen: ${by} found out.`,
        };
  }
  switch (call.state) {
    case "intended":
      return going();
    case "unknown":
      return {
        kind: "unknown",
        word: "Outcome unknown",
        tone: "warn",
        icon: "question",
        sentence:
          "It was sent and no answer came: nobody knows whether it changed something. It is not sent again.",
      };
    case "not_sent":
      return {
        ...notSent(),
        sentence: `Nothing was sent to the server, and nothing changed${because(call.error)}.`,
      };
    case "refused":
      return refused(call.error);
    default:
      return call.failed ? failed(call.error) : done();
  }
}

function notSent(): Omit<Outcome, "sentence"> {
  return { kind: "notsent", word: "Not sent", tone: "quiet", icon: "minus" };
}

function done(): Outcome {
  return { kind: "done", word: "Done", tone: "good", icon: "check", sentence: "The tool answered." };
}

function going(): Outcome {
  return {
    kind: "going",
    word: "Under way",
    tone: "busy",
    icon: "more",
    sentence: "There is no answer yet.",
  };
}

function failed(error: string | undefined): Outcome {
  const sentence =
    error === undefined
      ? "The tool answered that it failed."
      : `No result came${because(error)}. It only reads, so nothing changed.`;
  return { kind: "failed", word: "Failed", tone: "bad", icon: "cross", sentence };
}

function refused(error: string | undefined): Outcome {
  const shown = { tone: "warn", icon: "barred" } as const;
  if (error === "refused:denied" || error === "refused:forbidden") {
    const sentence = "A rule of this server does not allow the call. Nothing was sent.";
    return { kind: "denied", word: "Denied", ...shown, sentence };
  }
  return {
    kind: "refused",
    word: "Refused",
    ...shown,
    sentence: `The call was refused before anything was sent${because(error)}.`,
  };
}

const REASONS: Record<string, string> = {
  "refused:invalid_argument": "its arguments do not fit the tool's schema",
  "refused:unknown_tool": "there is no such tool for this key",
  "refused:upstream": "the server of the tool could not be reached, or did not answer as it must",
  "refused:timed_out": "it took too long",
  "refused:no_capacity": "too many calls were waiting",
  "refused:too_large": "it was too large",
  "refused:quota_exceeded": "the key has used what its profile allows",
  "refused:conflict": "its definition waits for review, or something else is using it",
  "refused:changed": "its definition changed",
  "refused:unavailable": "this server could not make it",
  stopped: "this server ended before it was sent",
  cancelled: "the program ended or called it off",
  fault: "of a mistake of this server, which is in its log",
};

/** The word of a reason as the end of a sentence; one that is not known here is quoted. */
function because(error: string | undefined): string {
  if (error === undefined) return "";
  const known = REASONS[error];
  return known === undefined ? ` (${error.replace(/^refused:/, "").replaceAll("_", " ")})` : `: ${known}`;
}
