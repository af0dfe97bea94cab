import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "./Button";

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus, closes with Escape and is announced. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog class={wide ? "dialog wide" : "dialog"} ref={element} onClose={onClose} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        <Button kind="quiet" icon="cross" label="Close" onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  act: string;
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something is gone for good. */
export function Confirm({ title, text, act, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
