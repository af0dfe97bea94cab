import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Client } from "../api/client";
import { ApiError, explain, Unreachable } from "../api/errors";
import { Server } from "../api/server";
import type { Welcome } from "../api/types";
import { CellBook } from "../cells/book";
import { RunDesk } from "../run/desk";
import { Connection } from "./connection";
import { type Desk, DeskContext, may } from "./context";
import { Shell } from "./Shell";
import { SignIn } from "./SignIn";
import { vault } from "./vault";

type State = { at: "opening" } | { at: "door"; why?: string; busy?: boolean } | { at: "inside"; desk: Desk };

const EXPIRED = "This key no longer works: it was revoked or has expired. Sign in with another key.";

export function App() {
  const [state, setState] = useState<State>({ at: "opening" });
  const [welcome, setWelcome] = useState<Welcome>();

  const turnedAway = useCallback(() => {
    setState((before) => (before.at === "inside" ? { at: "door", why: EXPIRED } : before));
  }, []);
  const connection = useMemo(() => new Connection(turnedAway), [turnedAway]);

  const enter = useCallback(
    async (key: string | undefined, stay?: boolean) => {
      setState({ at: "door", busy: true });
      try {
        const desk = await open(key, connection);
        if (key !== undefined) vault.keepKey(key, stay);
        setState({ at: "inside", desk });
        void desk.run.resume();
      } catch (error) {
        if (error instanceof ApiError && error.refusesKey) vault.forget();
        setState({ at: "door", why: explain(error) });
        if (error instanceof Unreachable) throw error;
      }
    },
    [connection],
  );

  /** Comes in with the key of before, as soon as there is a server. */
  const begin = useCallback(async () => {
    try {
      const found = await new Client(undefined, connection).json<Welcome>("/console.json");
      setWelcome(found);
      const key = vault.key();
      if (key === undefined && found.auth) setState({ at: "door" });
      else await enter(found.auth ? key : undefined);
    } catch (error) {
      setState({ at: "door", why: explain(error) });
      if (error instanceof Unreachable) {
        await connection.waitForReturn();
        await begin();
      }
    }
  }, [connection, enter]);

  useEffect(() => {
    void begin();
  }, [begin]);

  if (state.at === "inside") {
    const leave = () => {
      state.desk.run.leave();
      state.desk.cells.leave();
      vault.forget();
      setState({ at: "door" });
    };
    return (
      <DeskContext.Provider value={state.desk}>
        <Shell onLeave={leave} />
      </DeskContext.Provider>
    );
  }
  if (state.at === "opening") {
    return <p class="opening">Opening the console…</p>;
  }
  return (
    <SignIn
      version={welcome?.version}
      why={state.why}
      busy={state.busy ?? false}
      onKey={(key, stay) => void enter(key, stay).catch(begin)}
    />
  );
}

async function open(key: string | undefined, connection: Connection): Promise<Desk> {
  const server = new Server(new Client(key, connection));
  const who = await server.whoami();
  const runners = await server.runners();
  server.all = may(who, "admin");
  return {
    server,
    connection,
    who,
    runners,
    run: new RunDesk(server, connection),
    cells: new CellBook(server, connection),
  };
}
