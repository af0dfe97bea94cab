import { useState } from "preact/hooks";
import { Button } from "./Button";

/** Copies a text, also where the browser keeps its clipboard to pages over TLS. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text);
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [state, setState] = useState<"" | "done" | "failed">("");
  const act = async () => {
    await copy(typeof text === "string" ? text : text()).then(
      () => setState("done"),
      () => setState("failed"),
    );
    setTimeout(() => setState(""), 1600);
  };
  const word = state === "done" ? "Copied" : state === "failed" ? "Could not copy" : label;
  return (
    <Button kind="quiet" icon={state === "done" ? "check" : "copy"} onClick={act}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
