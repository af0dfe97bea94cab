import { href } from "../shell/route";

/** What is open on the page. */
export type View = "servers" | "review" | "catalogue" | "connect";

export interface Place {
  view: View;
  /** A server by its id, or a tool as programs name it. */
  name: string;
}

/** The place that the address names, as in `#/tools/catalogue:github.list_issues`. */
export function placeOf(rest: string): Place {
  const [, view = "servers", name = ""] = /^(servers|review|catalogue|connect)(?::(.*))?$/s.exec(rest) ?? [];
  return { view: view as View, name };
}

export function restOf(view: View, name = ""): string {
  return name === "" ? view : `${view}:${name}`;
}

export function hrefOf(view: View, name = ""): string {
  return href("tools", restOf(view, name));
}
