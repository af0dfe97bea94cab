import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Server } from "../api/server";
import type { Runners, Whoami } from "../api/types";
import type { CellBook } from "../cells/book";
import type { RunDesk } from "../run/desk";
import type { Connection } from "./connection";

/** What every page works with once somebody is signed in. */
export interface Desk {
  server: Server;
  connection: Connection;
  who: Whoami;
  runners: Runners;
  run: RunDesk;
  cells: CellBook;
}

export const DeskContext = createContext<Desk | undefined>(undefined);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === undefined) {
    throw new Error("not signed in");
  }
  return desk;
}

/** Whether the key may do what an administrator does. */
export function may(who: Whoami, scope: string): boolean {
  return who.scopes.includes(scope) || who.scopes.includes("admin");
}
