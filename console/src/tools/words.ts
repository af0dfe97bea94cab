import type { Effect, UpstreamSummary } from "../api/types";
import { ago, plural } from "../text/format";
import type { Tone } from "../text/words";

/** The state of a server as a label, and what it means. */
export function stateOf(state: string): { tone: Tone; word: string; sentence: string } {
  switch (state) {
    case "idle":
      return { tone: "quiet", word: "Idle", sentence: "It is started by the next call of one of its tools." };
    case "starting":
      return { tone: "busy", word: "Starting", sentence: "It is being started." };
    case "ready":
      return { tone: "good", word: "Connected", sentence: "Its tools can be called." };
    case "backing_off":
      return { tone: "warn", word: "Retrying", sentence: "It failed and is tried again by itself." };
    case "broken":
      return { tone: "bad", word: "Broken", sentence: "It failed again and again and is left alone." };
    default:
      return { tone: "quiet", word: state, sentence: "" };
  }
}

/** Whether its state will be another in a moment. */
export function isMoving(upstream: UpstreamSummary): boolean {
  return upstream.state === "starting" || upstream.state === "backing_off";
}

/** How many definitions of a server wait for a person. */
export function waiting({ tools }: UpstreamSummary): number {
  return tools.new + tools.changed;
}

/** How many tools there are, and what is the matter with some. */
export function counted({ tools }: UpstreamSummary): string {
  const parts = [
    plural(tools.approved, "tool"),
    tools.refused > 0 ? `${tools.refused} refused` : "",
    tools.removed > 0 ? `${tools.removed} no longer there` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export const TOOL_STATES: Record<string, { tone: Tone; word: string }> = {
  approved: { tone: "good", word: "Approved" },
  new: { tone: "warn", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  removed: { tone: "quiet", word: "Removed" },
  refused: { tone: "bad", word: "Refused" },
};

/** What calls of a tool may do, in a word or two. */
export function effectWord(effect: Effect): { tone: Tone; word: string } {
  switch (effect) {
    case "read":
      return { tone: "good", word: "only reads" };
    case "write":
      return { tone: "warn", word: "changes things" };
    case "destroy":
      return { tone: "bad", word: "may destroy" };
    default:
      return { tone: "quiet", word: "effect unknown" };
  }
}

/** What becomes of a call by this key. */
export function policyWord(policy: string): { tone: Tone; word: string } {
  switch (policy) {
    case "allow":
      return { tone: "good", word: "allowed" };
    case "ask":
      return { tone: "warn", word: "asks a person" };
    case "deny":
      return { tone: "warn", word: "denied" };
    default:
      return { tone: "quiet", word: policy };
  }
}

/** When its results last had another form than those before; undefined where that never was. */
export function driftWord(at: string | null | undefined, now = Date.now()): string | undefined {
  return at === undefined || at === null ? undefined : `results changed ${ago(at, now)}`;
}

export const REVIEWS: Record<string, string> = {
  first: "First list as agreed, changes by a person",
  manual: "A person decides on every tool",
  auto: "Everything is taken",
};
