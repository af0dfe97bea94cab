/**
 * What this tab remembers. The key lives in session storage alone: it survives a reload, is not shared
 * with other tabs and is gone when the tab is closed. The theme is no secret and is kept for good.
 */

const KEY = "caisson.key";
const DRAFT = "caisson.draft";
const RUN = "caisson.run";
const THEME = "caisson.theme";

export const vault = {
  key: () => read(sessionStorage, KEY),
  keepKey: (key: string) => write(sessionStorage, KEY, key),
  forget: () => {
    for (const name of [KEY, DRAFT, RUN]) {
      sessionStorage.removeItem(name);
    }
  },

  draft: () => parsed(read(sessionStorage, DRAFT)),
  keepDraft: (draft: unknown) => write(sessionStorage, DRAFT, JSON.stringify(draft)),

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
