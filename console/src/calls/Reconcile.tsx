import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { ToolCall } from "../api/types";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Problem } from "../ui/parts";

interface ReconcileProps {
  call: ToolCall;
  onKnown: (call: ToolCall) => void;
}

/** What a person found out about a call of which nobody knows. */
export function Reconcile({ call, onKnown }: ReconcileProps) {
  const { server } = useDesk();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const say = (happened: boolean) => {
    setBusy(true);
    setProblem(undefined);
    server.reconcile(call.id, happened).then(onKnown, (error: unknown) => {
      setProblem(explain(error));
      setBusy(false);
    });
  };
  return (
    <div class="stack">
      <p>Look there, then say what you found:</p>
      <div class="row">
        <Button disabled={busy} onClick={() => say(true)}>
          It happened
        </Button>
        <Button disabled={busy} onClick={() => say(false)}>
          It did not happen
        </Button>
      </div>
      <Problem text={problem} />
    </div>
  );
}
