import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../ui/Button";
import { Problem } from "../ui/parts";
import { Brand } from "./Brand";

interface SignInProps {
  version: string | undefined;
  why: string | undefined;
  busy: boolean;
  onKey: (key: string) => void;
}

export function SignIn({ version, why, busy, onKey }: SignInProps) {
  const [key, setKey] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (key.trim() !== "" && !busy) onKey(key.trim());
  };
  return (
    <main class="door">
      <form class="door-card" onSubmit={submit}>
        <Brand />
        <h1>Sign in</h1>
        <p class="faint">
          Programs run in sandboxes of this server. Who may run them is decided by a key: the server printed
          the first one when it started, and <code>caisson key create NAME</code> makes another.
        </p>
        <label class="field">
          <span class="field-name">API key</span>
          <input
            ref={field}
            type="password"
            placeholder="ck_…"
            name="key"
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <Problem text={why} />
        <Button type="submit" kind="primary" disabled={busy || key.trim() === ""}>
          {busy ? "Signing in…" : "Sign in"}
        </Button>
        <p class="faint small">
          The key stays in this tab and is forgotten when you close it.{version && ` Caisson ${version}.`}
        </p>
      </form>
    </main>
  );
}
