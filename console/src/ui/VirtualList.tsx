import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps {
  name: string;
  count: number;
  rowHeight: number;
  /** Changes when rows do. */
  version: number;
  /** Whether it stays at its end as it grows, once it is there. */
  follow?: boolean;
  row: (index: number) => ComponentChildren;
}

const OVERSCAN = 12;
const NEAR_END_PIXELS = 24;

/** A list of any length of which only the visible rows exist. */
export function VirtualList({ name, count, rowHeight, version, follow = false, row }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follow);
  const [view, setView] = useState({ top: 0, height: 400 });

  const look = () => {
    const element = box.current;
    if (element !== null) {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      atEnd.current = follow && rest < NEAR_END_PIXELS;
      setView({ top: element.scrollTop, height: element.clientHeight });
    }
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && atEnd.current) {
      element.scrollTop = element.scrollHeight;
    }
  }, [version, count]);

  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - OVERSCAN);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN);
  const rows = [];
  for (let index = first; index < last; index++) {
    rows.push(row(index));
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="virtual" ref={box} onScroll={look} tabIndex={0} aria-label={name}>
      <div class="virtual-all" style={{ height: `${count * rowHeight}px` }}>
        <div class="virtual-window" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows}
        </div>
      </div>
    </section>
  );
}
