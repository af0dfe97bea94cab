import type { Status } from "../api/types";
import { plural } from "../text/format";
import { languageName } from "../text/words";
import { Meter } from "../ui/parts";

type Pool = Status["pool"][number];

/** The sandboxes that wait, booted, for programs of each language. */
export function Pools({ pools }: { pools: Pool[] }) {
  return (
    <section aria-label="Waiting sandboxes">
      <h3>Waiting sandboxes</h3>
      {pools.length === 0 ? (
        <p class="faint small">
          No sandbox is waiting, so the next run is a cold start. The setting{" "}
          <code>sandbox.pool_memory_bytes</code> limits the memory of waiting sandboxes.
        </p>
      ) : (
        <div class="gauges">
          {pools.map((pool) => (
            <div class="gauge" key={pool.runner}>
              <Meter
                name={languageName(pool.runner)}
                used={pool.ready}
                max={pool.target}
                calm
                text={readiness(pool)}
              />
              <p class="faint small">{starts(pool)}</p>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function readiness({ ready, target }: Pool): string {
  return target === 0 && ready === 0 ? "none needed" : `${ready} of ${target} ready`;
}

/** How many runs found one. */
export function starts({ hits, misses }: Pick<Pool, "hits" | "misses">): string {
  const all = hits + misses;
  return all === 0
    ? "no runs yet"
    : `${Math.floor((hits / all) * 100)} % warm of ${plural(all, "start")} (${misses} cold)`;
}
