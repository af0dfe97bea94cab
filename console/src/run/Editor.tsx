import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CodeEditor } from "./codemirror";

interface EditorProps {
  language: string;
  code: string;
  onChange: (code: string) => void;
  /** Whether it is written in next. */
  focus?: boolean;
}

/** The code editor. Until it has been fetched, and where it cannot be, a plain text field does. */
export function Editor({ language, code, onChange, focus = false }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>();
  const latest = useRef({ language, code, onChange });
  latest.current = { language, code, onChange };
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let gone = false;
    const install = ({ CodeEditor: Made }: typeof import("./codemirror")) => {
      if (!gone && host.current !== null) {
        editor.current = new Made(host.current, (text) => latest.current.onChange(text));
        editor.current.show(latest.current.language, latest.current.code);
        setReady(true);
      }
    };
    // When it cannot be fetched, the plain field stays.
    import("./codemirror").then(install, () => undefined);
    return () => {
      gone = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, []);

  // At once: an effect after the frame could come late and put back what has been replaced since.
  useLayoutEffect(() => editor.current?.show(language, code), [language, code]);

  useEffect(() => {
    if (focus && ready) editor.current?.focus();
  }, [focus, ready]);

  return (
    <div class="editor">
      <div ref={host} class="editor-host" />
      {!ready && (
        <textarea
          class="editor-plain"
          aria-label="Program"
          spellcheck={false}
          value={code}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
