/** Where the cells of a book run. */
export interface Place {
  language: string;
  thread: string;
  /** Packages by name; empty for the default ones. */
  environment: string;
  /** An image by name; empty for this machine's own. */
  image: string;
}

export interface KeptCell {
  code: string;
  /** Its last run. */
  run?: string;
  /** Which of the session's programs that was. */
  number?: number;
}

/** What a tab remembers of its cells. */
export interface KeptBook {
  place: Place;
  count: number;
  cells: KeptCell[];
}

export const NEW_BOOK: KeptBook = {
  place: { language: "python", thread: "cells", environment: "", image: "" },
  count: 0,
  cells: [{ code: "" }],
};

export function isKeptBook(value: unknown): value is KeptBook {
  const book = value as Partial<KeptBook> | undefined;
  const place = book?.place as Partial<Place> | undefined;
  return (
    typeof book?.count === "number" &&
    [place?.language, place?.thread, place?.environment, place?.image].every(isText) &&
    Array.isArray(book.cells) &&
    book.cells.length > 0 &&
    book.cells.every((cell: Partial<KeptCell> | null) => isText(cell?.code))
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
