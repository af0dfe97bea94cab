import { useRef, useState } from "preact/hooks";
import { duration } from "../text/format";
import { Icon } from "../ui/Icon";
import { Scroll } from "../ui/Scroll";
import { outcome } from "./outcome";
import type { Bar, Timeline } from "./timeline";

/** A time this near to the end is written before its line. */
const LAST_SHARE = 0.9;

interface LanesProps {
  drawn: Timeline;
  /** Numbers of the calls that are shown in full. */
  open: ReadonlySet<number>;
  onShow: (number: number) => void;
}

/**
 * The calls as bars on the time of the run; those that went on at the same time stand below one another.
 * One Tab reaches them all, and the arrow keys move between them.
 */
export function Lanes({ drawn, open, onShow }: LanesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const move = (event: KeyboardEvent) => {
    const last = drawn.bars.length - 1;
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, to));
    setAt(next);
    box.current?.querySelectorAll("button")[next]?.focus();
  };
  const share = (time: number) => `${(100 * time) / drawn.span}%`;
  return (
    <Scroll class="lanes-box" name="Timeline of the calls">
      <div class="lanes-axis" aria-hidden="true">
        {drawn.ticks.map(({ at: time, text }) => (
          <span key={time} style={{ left: share(time) }} data-last={time / drawn.span > LAST_SHARE}>
            {text}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside. */}
      <div class="lanes" ref={box} onKeyDown={move} style={{ "--lanes": drawn.lanes }}>
        {drawn.ticks.map(({ at: time }) => (
          <i key={time} class="lanes-tick" style={{ left: share(time) }} />
        ))}
        {drawn.bars.map((bar, index) => {
          const how = outcome(bar.call);
          return (
            <button
              key={bar.call.id}
              type="button"
              class={`lane-bar ${how.kind}`}
              style={{ left: share(bar.start), width: share(bar.end - bar.start), "--lane": bar.lane }}
              tabIndex={index === Math.min(at, drawn.bars.length - 1) ? 0 : -1}
              aria-label={told(bar, how.word)}
              title={told(bar, how.word)}
              data-open={open.has(bar.call.number)}
              onFocus={() => setAt(index)}
              onClick={() => onShow(bar.call.number)}
            >
              <span class="lane-words">
                <Icon name={how.icon} />
                <span>{bar.call.tool}</span>
              </span>
            </button>
          );
        })}
      </div>
    </Scroll>
  );
}

function told({ call, start }: Bar, word: string): string {
  const took = call.duration_ms === undefined ? "" : `, took ${duration(call.duration_ms)}`;
  return `Call ${call.number}: ${call.tool}, ${word.toLowerCase()}, started at ${duration(start)}${took}`;
}
