import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../ui/Button";
import { Problem } from "../ui/parts";
import { Brand } from "./Brand";

interface SignInProps {
  version: string | undefined;
  why: string | undefined;
  busy: boolean;
  onKey: (key: string, stay: boolean) => void;
}

export function SignIn({ version, why, busy, onKey }: SignInProps) {
  const [key, setKey] = useState("");
  const [stay, setStay] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (key.trim() !== "" && !busy) onKey(key.trim(), stay);
  };
  return (
    <main class="door">
      <form class="door-card" onSubmit={submit}>
        <Brand />
        <h1>Sign in</h1>
        <p class="faint">
          This server runs programs in sandboxes. You need an API key: the server printed yours when it first
          started, and <code>caisson key create NAME</code> creates another.
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
        <label class="check">
          <input type="checkbox" checked={stay} onChange={(event) => setStay(event.currentTarget.checked)} />
          <span>Keep me signed in on this browser</span>
        </label>
        <Problem text={why} />
        <Button type="submit" kind="primary" disabled={busy || key.trim() === ""}>
          {busy ? "Signing in…" : "Sign in"}
        </Button>
        <p class="faint small">
          {stay
            ? "This browser stores the key, for all its tabs, until you sign out. Only do this on your own computer."
            : "The key stays in this tab and is forgotten when you close it."}
          {version && ` Caisson ${version}.`}
        </p>
      </form>
    </main>
  );
}
