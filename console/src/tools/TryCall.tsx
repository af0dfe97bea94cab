import { useMemo, useState } from "preact/hooks";
import { ApiError, explain } from "../api/errors";
import type { ToolAnswer } from "../api/types";
import { may, useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Card, Notice, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { StrangeText } from "../ui/StrangeText";
import { argumentsOf, type FormField, fieldsOf, mistakes } from "./form";

interface TryCallProps {
  module: string;
  tool: string;
  schema: unknown;
  /** Whether a rule is known to refuse every call. */
  denied: boolean;
}

/** A call of the tool by this key: by a form where its arguments are simple, else as JSON. */
export function TryCall({ module, tool, schema, denied }: TryCallProps) {
  const { server, who } = useDesk();
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [json, setJson] = useState<string>();
  const [shown, setShown] = useState<Record<string, string>>({});
  const [answer, setAnswer] = useState<ToolAnswer>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const asJson = fields === undefined || json !== undefined;

  if (!may(who, "tools")) {
    return null;
  }
  const call = async (event: Event) => {
    event.preventDefault();
    setProblem(undefined);
    setAnswer(undefined);
    const wrong = asJson ? {} : mistakes(fields, typed);
    setShown(wrong);
    if (Object.keys(wrong).length > 0) return;
    try {
      const given = asJson ? parsed(json ?? "{}") : argumentsOf(fields, typed);
      setBusy(true);
      setAnswer(await server.tools.call(module, tool, given));
    } catch (error) {
      // A refused call is no matter of the key alone: what the server says names the rule.
      setProblem(error instanceof ApiError && error.status === 403 ? error.message : explain(error));
    }
    setBusy(false);
  };
  const toggle = () => setJson(asJson ? undefined : JSON.stringify(argumentsOf(fields, typed), null, 2));
  return (
    <Card
      title="Try a call"
      aside={
        fields !== undefined &&
        fields.length > 0 && (
          <Button kind="quiet" onClick={toggle}>
            {asJson ? "As a form" : "As JSON"}
          </Button>
        )
      }
    >
      {denied && (
        <Notice tone="warn">A rule denies calls of this tool by this key; trying one shows how.</Notice>
      )}
      <form class="stack try-call" onSubmit={(event) => void call(event)}>
        {asJson ? (
          <Field name="Arguments (JSON)">
            <textarea
              class="code"
              rows={6}
              spellcheck={false}
              value={json ?? "{}"}
              onInput={(event) => setJson(event.currentTarget.value)}
            />
          </Field>
        ) : (
          <div class="try-fields">
            {fields.length === 0 && <p class="faint">It takes no arguments.</p>}
            {fields.map((field) => (
              <Argument
                key={field.name}
                field={field}
                value={typed[field.name] ?? ""}
                problem={shown[field.name]}
                onType={(value) => setTyped({ ...typed, [field.name]: value })}
              />
            ))}
          </div>
        )}
        <div class="row">
          <Button type="submit" kind="primary" icon="run" disabled={busy}>
            {busy ? "Calling…" : "Call"}
          </Button>
        </div>
      </form>
      <Problem text={problem} />
      {answer !== undefined && <Answer answer={answer} />}
    </Card>
  );
}

interface ArgumentProps {
  field: FormField;
  value: string;
  problem: string | undefined;
  onType: (value: string) => void;
}

function Argument({
  field: { name, kind, description, required, options },
  value,
  problem,
  onType,
}: ArgumentProps) {
  const choices = kind === "boolean" ? ["true", "false"] : options;
  return (
    <Field name={required ? `${name} (needed)` : name} hint={description} problem={problem}>
      {kind === "choice" || kind === "boolean" ? (
        <select value={value} onChange={(event) => onType(event.currentTarget.value)}>
          <option value="">{required ? "Choose" : "Not given"}</option>
          {choices.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          value={value}
          spellcheck={false}
          inputMode={kind === "text" ? "text" : "decimal"}
          placeholder={description}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Answer({ answer }: { answer: ToolAnswer }) {
  const text = typeof answer.data === "string" ? answer.data : JSON.stringify(answer.data ?? null, null, 2);
  return (
    <div class="stack">
      {answer.error !== undefined && (
        <Notice tone="bad">
          {answer.error.type}: <StrangeText text={answer.error.message} />
        </Notice>
      )}
      {answer.warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          <StrangeText text={warning} />
        </Notice>
      ))}
      {answer.ok && (
        <Scroll class="text-preview" name="What the tool gave">
          <pre>
            <StrangeText text={text} />
          </pre>
        </Scroll>
      )}
      {answer.files.map((file) => (
        <p class="faint small" key={file.path}>
          {file.path}, {file.mime_type}
        </p>
      ))}
    </div>
  );
}

/** @throws Error with what is wrong with it */
function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The arguments are not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("The arguments are an object, such as {}.");
  }
  return value as Record<string, unknown>;
}
