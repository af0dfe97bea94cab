import { useEffect, useRef, useState } from "preact/hooks";

/** A value that tells when it changes. */
export class Observable<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (!Object.is(value, this.current)) {
      this.current = value;
      for (const listener of [...this.listeners]) {
        listener();
      }
    }
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The value, drawn again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [, redraw] = useState({});
  const drawn = useRef(observable.value);
  drawn.current = observable.value;
  useEffect(() => {
    const leave = observable.subscribe(() => redraw({}));
    // Between the drawing and this moment nobody listened.
    if (!Object.is(observable.value, drawn.current)) {
      redraw({});
    }
    return leave;
  }, [observable]);
  return drawn.current;
}
