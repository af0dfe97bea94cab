import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../api/errors";

export interface Loading<T> {
  value?: T;
  problem?: string;
  busy: boolean;
  reload: () => void;
}

/** Something asked of the server: asked again when a dependency changes, older answers forgotten. */
export function useLoading<T>(ask: () => Promise<T>, dependencies: unknown[]): Loading<T> {
  const [state, setState] = useState<{ value?: T; problem?: string; busy: boolean }>({ busy: true });
  const turn = useRef(0);
  const reload = useCallback(() => {
    const mine = ++turn.current;
    setState((before) => ({ ...before, busy: true }));
    ask().then(
      (value) => mine === turn.current && setState({ value, busy: false }),
      (error) => mine === turn.current && setState({ problem: explain(error), busy: false }),
    );
  }, dependencies);
  useEffect(() => {
    reload();
    return () => {
      turn.current++;
    };
  }, [reload]);
  return { ...state, reload };
}

/** Calls again and again while the component is shown and the page is visible. */
export function useEvery(milliseconds: number, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
