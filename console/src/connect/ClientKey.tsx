import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import { may, useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Choice } from "../ui/Field";
import { Notice, Problem } from "../ui/parts";

const SCOPES = ["run", "files_read", "files_write"];
const DAY_MILLISECONDS = 86_400_000;
const LIVES = [
  { value: "30", text: "30 days" },
  { value: "90", text: "90 days" },
  { value: "365", text: "a year" },
];

interface ClientKeyProps {
  client: string;
  /** The key that was made for this client, if it was. */
  made: string | undefined;
  onKey: (secret: string) => void;
}

/** Makes a key for one client, which may run programs and use files, and puts it into the snippet. */
export function ClientKey({ client, made, onKey }: ClientKeyProps) {
  const { who, server } = useDesk();
  const [days, setDays] = useState("90");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const make = async () => {
    setBusy(true);
    setProblem(undefined);
    const expires = new Date(Date.now() + Number(days) * DAY_MILLISECONDS).toISOString();
    try {
      const key = await server.createKey({ name: client, scopes: SCOPES, expires_at: expires });
      if (key.secret !== undefined) onKey(key.secret);
    } catch (error) {
      setProblem(explain(error));
    }
    setBusy(false);
  };

  if (!may(who, "admin")) {
    return (
      <p class="faint small">
        Put a key of the client in place of YOUR_KEY. An administrator creates one here, or with{" "}
        <code>caisson key create NAME</code>.
      </p>
    );
  }
  if (made !== undefined) {
    return (
      <Notice tone="good">
        The key is in the text above and is shown once: copy it now. It may run programs and use files.
      </Notice>
    );
  }
  return (
    <div class="row">
      <Choice name="Valid for" value={days} options={LIVES} onChoose={setDays} />
      <Button kind="primary" icon="plus" disabled={busy} onClick={() => void make()}>
        Create a key for this client
      </Button>
      <Problem text={problem} />
    </div>
  );
}
