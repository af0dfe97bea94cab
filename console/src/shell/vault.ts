/**
 * What this tab remembers. The key lives in session storage: it survives a reload, is not shared with other
 * tabs and is gone when the tab is closed. Only for whoever asked to stay signed in it is in local storage,
 * for all tabs of this browser, until somebody signs out. The theme is no secret and is kept for good.
 */

const KEY = "caisson.key";
const DRAFT = "caisson.draft";
const RUN = "caisson.run";
const CELLS = "caisson.cells";
const THEME = "caisson.theme";

export const vault = {
  key: () => read(sessionStorage, KEY) ?? read(localStorage, KEY),
  /** @param stay also when the tab is closed, and in other tabs; undefined leaves that as it was */
  keepKey: (key: string, stay?: boolean) => {
    write(sessionStorage, KEY, key);
    if (stay === true) write(localStorage, KEY, key);
    if (stay === false) localStorage.removeItem(KEY);
  },
  forget: () => {
    localStorage.removeItem(KEY);
    for (const name of [KEY, DRAFT, RUN, CELLS]) {
      sessionStorage.removeItem(name);
    }
  },

  draft: () => parsed(read(sessionStorage, DRAFT)),
  keepDraft: (draft: unknown) => write(sessionStorage, DRAFT, JSON.stringify(draft)),

  /** The cells of the page and which runs they had last. */
  cells: () => parsed(read(sessionStorage, CELLS)),
  keepCells: (cells: unknown) => write(sessionStorage, CELLS, JSON.stringify(cells)),

  /** The run that was going on when the page was left. */
  run: () => read(sessionStorage, RUN),
  keepRun: (id: string) => write(sessionStorage, RUN, id),
  forgetRun: () => sessionStorage.removeItem(RUN),

  theme: () => read(localStorage, THEME),
  keepTheme: (theme: string) => write(localStorage, THEME, theme),
};

function read(storage: Storage, name: string): string | undefined {
  return storage.getItem(name) ?? undefined;
}

/** A full storage costs the convenience, not the work. */
function write(storage: Storage, name: string, value: string): void {
  try {
    storage.setItem(name, value);
  } catch {
    storage.removeItem(name);
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
