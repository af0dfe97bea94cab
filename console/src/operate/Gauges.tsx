import { useRef } from "preact/hooks";
import type { Status } from "../api/types";
import { useEvery, useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { duration } from "../text/format";
import { Card, Meter, Problem } from "../ui/parts";
import { Sparkline } from "./Sparkline";

const PERIOD_MILLISECONDS = 1000;
const KEPT = 60;

/** What goes on right now, read every second. */
export function Gauges() {
  const { server } = useDesk();
  const status = useLoading(server.status, [server]);
  const past = useRef<Status[]>([]);
  useEvery(PERIOD_MILLISECONDS, status.reload);
  const now = status.value;
  if (now !== undefined && past.current.at(-1) !== now) {
    past.current = [...past.current, now].slice(-KEPT);
  }
  return (
    <Card
      title="Right now"
      aside={now && <span class="faint small">up for {duration(now.uptime_s * 1000)}</span>}
    >
      <Problem text={status.problem} />
      {now !== undefined && (
        <div class="gauges">
          <div class="gauge">
            <Meter
              name="Running"
              used={now.runs.active}
              max={now.runs.places}
              text={`${now.runs.active} of ${now.runs.places} places`}
            />
            <Sparkline name="Running, last minute" values={past.current.map(({ runs }) => runs.active)} />
          </div>
          <div class="gauge">
            <Meter
              name="Waiting"
              used={now.runs.waiting}
              max={Math.max(1, now.runs.places)}
              text={String(now.runs.waiting)}
            />
            <Sparkline name="Waiting, last minute" values={past.current.map(({ runs }) => runs.waiting)} />
          </div>
          {now.pool.map((pool) => (
            <div class="gauge" key={pool.runner}>
              <Meter
                name={`Warm ${pool.runner}`}
                used={pool.ready}
                max={pool.target}
                calm
                text={`${pool.ready} of ${pool.target} ready`}
              />
              <p class="faint small">
                {pool.hits} warm starts, {pool.misses} cold
              </p>
            </div>
          ))}
          <div class="gauge">
            <p class="gauge-number">{now.streams_open}</p>
            <p class="faint small">
              open streams · store {now.store.kind} · version {now.version}
            </p>
          </div>
        </div>
      )}
    </Card>
  );
}
