import type { UpstreamSummary } from "../api/types";
import { ago, moment, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Badge, Notice } from "../ui/parts";
import { StrangeText } from "../ui/StrangeText";
import { hrefOf } from "./place";
import { ServerDetail } from "./ServerDetail";
import { counted, REVIEWS, stateOf, waiting } from "./words";

interface ServerCardProps {
  upstream: UpstreamSummary;
  /** Whether its tools and its entry are shown. */
  open: boolean;
  /** Whether something is being done with it. */
  busy: boolean;
  onAct: (what: "refresh" | "restart") => void;
  onRemove: () => void;
}

/** One server: how it is, why, and what to do. */
export function ServerCard({ upstream, open, busy, onAct, onRemove }: ServerCardProps) {
  const state = stateOf(upstream.state);
  const wait = waiting(upstream);
  const inFile = upstream.origin === "file";
  return (
    <li class="card server" aria-label={upstream.id} data-state={upstream.state}>
      <header class="server-head">
        <div class="server-name">
          <h3>{upstream.title}</h3>
          <code class="faint">{upstream.id}</code>
          <Badge tone={state.tone}>{state.word}</Badge>
        </div>
        <div class="card-aside">
          {upstream.connectable && (
            <a
              class="button quiet"
              href={hrefOf("connect", upstream.id)}
              aria-label={`Connect ${upstream.id}`}
            >
              Connect
            </a>
          )}
          <Button
            kind="quiet"
            icon="refresh"
            label={`Refresh ${upstream.id}`}
            disabled={busy}
            onClick={() => onAct("refresh")}
          >
            Refresh
          </Button>
          <Button
            kind="quiet"
            icon="run"
            label={`Restart ${upstream.id}`}
            disabled={busy}
            onClick={() => onAct("restart")}
          >
            Restart
          </Button>
          <Button
            kind="quiet"
            icon="trash"
            label={`Remove ${upstream.id}`}
            {...(inFile && { title: "It stands in the file of upstreams.file: remove it there" })}
            disabled={busy || inFile}
            onClick={onRemove}
          >
            Remove
          </Button>
        </div>
      </header>
      <p>
        {state.sentence} <span class="faint">{counted(upstream)}.</span>
      </p>
      {upstream.last_error !== undefined && (
        <Notice tone={upstream.state === "broken" ? "bad" : "warn"}>
          Last error: <StrangeText text={upstream.last_error.replace(/\.?$/, ".")} /> {upstream.remedy}
        </Notice>
      )}
      {wait > 0 && (
        <p class="server-wait">
          {plural(wait, "definition")} {wait === 1 ? "waits" : "wait"} for a person and cannot be called until
          then. <a href={hrefOf("review")}>Review</a>
        </p>
      )}
      <dl class="facts">
        <Fact name="Kind" value={upstream.kind === "command" ? "Command in a sandbox" : "Address"} />
        <Fact name="Kept in" value={inFile ? "the file" : "the database"} />
        <Fact name="Its word on effects" value={upstream.trust === "trusted" ? "counts" : "does not count"} />
        <Fact name="Review" value={REVIEWS[upstream.review] ?? upstream.review} />
        <Fact name="Listed" value={ago(upstream.listed_at) || "never"} hint={moment(upstream.listed_at)} />
      </dl>
      <a
        class="server-more"
        href={open ? hrefOf("servers") : hrefOf("servers", upstream.id)}
        aria-expanded={open}
      >
        {open ? "Hide its tools and its entry" : "Show its tools and its entry"}
      </a>
      {open && <ServerDetail upstream={upstream} />}
    </li>
  );
}

function Fact({ name, value, hint }: { name: string; value: string; hint?: string }) {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
