import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours come from the page's theme, so light and dark need one style. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment], color: "var(--code-comment)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--code-function)",
  },
  { tag: [tags.typeName, tags.className], color: "var(--code-type)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line-tint)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--selection)",
  },
});

function grammar(language: string): Extension {
  switch (language) {
    case "python":
      return [python(), indentUnit.of("    ")];
    case "node":
      return javascript();
    case "typescript":
      return javascript({ typescript: true });
    case "bash":
      return StreamLanguage.define(shell);
    default:
      return [];
  }
}

/** Marks a change that was shown to the editor, and not made in it. */
const SHOWN = Annotation.define<true>();

/**
 * CodeMirror behind a small door. It lives in a shadow root, where its styles are adopted sheets: the
 * page's policy forbids style elements.
 */
export class CodeEditor {
  private readonly language = new Compartment();
  private readonly view: EditorView;
  private shown = "";

  constructor(host: HTMLElement, onChange: (text: string) => void) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          syntaxHighlighting(COLOURS),
          LOOK,
          // Ctrl+Enter runs the program and Escape stops it; both are the page's.
          keymap.of([
            { key: "Mod-Enter", run: () => true },
            ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false" }),
          this.language.of([]),
          EditorView.updateListener.of(({ transactions, state }) => {
            if (transactions.some((made) => made.docChanged && !made.annotation(SHOWN))) {
              onChange(state.doc.toString());
            }
          }),
        ],
      }),
    });
  }

  show(language: string, code: string): void {
    if (language !== this.shown) {
      this.shown = language;
      this.view.dispatch({ effects: this.language.reconfigure(grammar(language)) });
    }
    if (code !== this.view.state.doc.toString()) {
      this.view.dispatch({
        changes: { from: 0, to: this.view.state.doc.length, insert: code },
        annotations: SHOWN.of(true),
      });
    }
  }

  focus(): void {
    this.view.focus();
  }

  close(): void {
    this.view.destroy();
  }
}
