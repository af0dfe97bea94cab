import { Observable } from "../lib/observable";
import { vault } from "./vault";

export type Theme = "auto" | "light" | "dark";

const ORDER: Theme[] = ["auto", "light", "dark"];

export const theme = new Observable<Theme>("auto");

/** Takes the kept choice, or the system's. */
export function startTheme(): void {
  const kept = ORDER.find((name) => name === vault.theme());
  choose(kept ?? "auto");
}

export function nextTheme(): void {
  const at = ORDER.indexOf(theme.value);
  choose(ORDER[(at + 1) % ORDER.length] ?? "auto");
}

function choose(chosen: Theme): void {
  theme.set(chosen);
  vault.keepTheme(chosen);
  document.documentElement.dataset.theme = chosen;
}
