import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import { may, useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Problem } from "../ui/parts";
import { hrefOf } from "./place";
import { visitable } from "./visit";

/** One server that wants a person: it is led to the authorization server, and comes back to this one. */
export function Connect({ id }: { id: string }) {
  const { server, who } = useDesk();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const connect = async (own: boolean) => {
    setProblem(undefined);
    setBusy(true);
    try {
      location.assign(visitable((await server.tools.connect(id, own)).url));
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };

  return (
    <div class="page">
      <h2>
        Connect <code>{id}</code>
      </h2>
      <p>
        You are led to the authorization server of {id}, which asks you what this server may do there in your
        name, and then back. Finish within ten minutes in this browser.
      </p>
      <Problem text={problem} />
      <p class="button-row">
        <Button kind="primary" disabled={busy} onClick={() => void connect(false)}>
          Connect
        </Button>
        {may(who, "admin") && (
          <Button
            disabled={busy}
            title="Where each key has an account of its own there: the one with which tools are listed"
            onClick={() => void connect(true)}
          >
            Connect this server itself
          </Button>
        )}
      </p>
      <a href={hrefOf("servers")}>Back to the servers</a>
    </div>
  );
}
