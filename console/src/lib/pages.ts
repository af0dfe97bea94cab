import { useMemo, useState } from "preact/hooks";
import { explain } from "../api/errors";
import { type Loading, useLoading } from "./loading";

/** Some of a list, and where the rest of it begins. */
export interface Page<T> {
  items: T[];
  next?: string | undefined;
}

export interface Pages<T> extends Omit<Loading<T[]>, "value"> {
  /** All that was read so far; nothing before the first answer. */
  items?: T[];
  /** Reads on; absent when there is no more. */
  more?: () => void;
}

/** A list that is read page by page, from its start again when a dependency changes. */
export function usePages<T>(ask: (cursor?: string) => Promise<Page<T>>, dependencies: unknown[]): Pages<T> {
  const first = useLoading(ask, dependencies);
  const [later, setLater] = useState<{ after?: Page<T>; items: T[]; next?: string; problem?: string }>();
  const known = later?.after === first.value ? later : undefined;
  const items = useMemo(
    () => first.value && [...first.value.items, ...(known?.items ?? [])],
    [first.value, known?.items],
  );
  const next = known === undefined ? first.value?.next : known.next;
  const before = { ...(first.value && { after: first.value }), items: known?.items ?? [] };
  const more = (cursor: string) =>
    ask(cursor).then(
      (page) =>
        setLater({
          ...before,
          items: [...before.items, ...page.items],
          ...(page.next && { next: page.next }),
        }),
      (error: unknown) => setLater({ ...before, next: cursor, problem: explain(error) }),
    );
  const problem = first.problem ?? known?.problem;
  return {
    busy: first.busy,
    reload: first.reload,
    ...(problem !== undefined && { problem }),
    ...(items && { items }),
    ...(next && { more: () => void more(next) }),
  };
}
