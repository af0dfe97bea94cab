import type { Handed } from "../api/types";

/** The largest value that is shown in the page, as JSON. */
export const VALUE_BYTES_MAX = 4 * 1024 * 1024;

/** What there is to show of a value: itself, or where it is kept and why. */
export interface ShownValue {
  data?: unknown;
  /** How large the value is that is kept apart; 0 when none is. */
  keptBytes: number;
  file?: { path: string; bytes: number };
  note?: string;
}

/** A value of which any member may be null. */
type Maybe<T> = { [Member in keyof T]: T[Member] | null };

/** Nothing for a program that handed over nothing, or null, which says as much. */
export function shownValue(handed: Maybe<Handed> | undefined | null): ShownValue | undefined {
  const { data, data_file: file, data_note: note, data_stored_bytes: keptBytes } = handed ?? {};
  const shown: ShownValue = {
    keptBytes: keptBytes ?? 0,
    ...(data === undefined || data === null ? {} : { data }),
    ...(file ? { file } : {}),
    ...(note ? { note } : {}),
  };
  return Object.keys(shown).length === 1 && shown.keptBytes === 0 ? undefined : shown;
}
