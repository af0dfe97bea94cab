/** What runs the program is pressed with another key on Apple's keyboards. */
export const RUN_KEYS = /Mac|iP/.test(globalThis.navigator?.platform ?? "") ? "⌘ ⏎" : "Ctrl ⏎";
