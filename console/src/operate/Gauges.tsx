import { useRef } from "preact/hooks";
import type { Status } from "../api/types";
import { useEvery, useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { bytes, duration, plural } from "../text/format";
import { Card, Meter, Problem } from "../ui/parts";
import { Pools } from "./Pools";
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
    <Card title="Current load" aside={now && <Aside status={now} />}>
      <Problem text={status.problem} />
      {now !== undefined && (
        <>
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
                max={now.runs.places}
                text={now.runs.waiting === 0 ? "none" : plural(now.runs.waiting, "run")}
              />
              <Sparkline name="Waiting, last minute" values={past.current.map(({ runs }) => runs.waiting)} />
            </div>
          </div>
          <Capacity status={now} />
          <Pools pools={now.pool} />
        </>
      )}
    </Card>
  );
}

/** What sessions hold of their memory, and how full the disks are. */
function Capacity({ status: { sessions, disks } }: { status: Status }) {
  return (
    <div class="gauges">
      <div class="gauge">
        <Meter
          name="Memory of sessions"
          used={sessions.held_bytes}
          max={sessions.memory_bytes}
          text={`${bytes(sessions.held_bytes)} of ${bytes(sessions.memory_bytes)}, ${plural(sessions.alive, "session")}`}
          calm
        />
      </div>
      {disks.map(({ name, total_bytes, free_bytes, warning }) => (
        <div class="gauge" key={name}>
          <Meter
            name={`Disk of the ${name} directory`}
            used={total_bytes - free_bytes}
            max={total_bytes}
            text={`${bytes(free_bytes)} of ${bytes(total_bytes)} free`}
            calm={warning === undefined}
          />
        </div>
      ))}
    </div>
  );
}

function Aside({ status }: { status: Status }) {
  return (
    <span class="faint small">
      version {status.version} · up for {duration(status.uptime_s * 1000)} · {status.store.kind} ·{" "}
      {plural(status.streams_open, "open stream")}
    </span>
  );
}
