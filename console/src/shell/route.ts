import { Observable } from "../lib/observable";

export const PAGES = ["run", "cells", "files", "history", "tools", "connect", "operate"] as const;
export type Page = (typeof PAGES)[number];

/** Where we are: a page and what is open on it, as in `#/history/run_1`. */
export interface Route {
  page: Page;
  rest: string;
}

export function parse(hash: string): Route {
  const [, page = "", rest = ""] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(hash) ?? [];
  const known = PAGES.find((name) => name === page);
  return { page: known ?? "run", rest: known === undefined ? "" : decoded(rest) };
}

export function href(page: Page, rest = ""): string {
  return rest === "" ? `#/${page}` : `#/${page}/${encodeURIComponent(rest)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export const route = new Observable<Route>(parse(globalThis.location?.hash ?? ""));

export function go(page: Page, rest = ""): void {
  location.hash = href(page, rest);
}

export function followHash(): void {
  addEventListener("hashchange", () => route.set(parse(location.hash)));
}
