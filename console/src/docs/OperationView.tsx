import { useEffect, useRef } from "preact/hooks";
import { Snippet } from "../ui/Snippet";
import { bodyOf, type Document, type Entry, isOpen, JSON_TYPE, type Parameter, replyOf } from "./document";
import { asCurl, bodyExample } from "./example";
import { SchemaTree } from "./SchemaTree";

interface Props {
  document: Document;
  entry: Entry;
  base: string;
  /** Whether the address names it. */
  chosen: boolean;
}

/** One thing that can be asked for: how, with what, and what comes back. */
export function OperationView({ document, entry, base, chosen }: Props) {
  const { method, path, operation } = entry;
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (chosen && place.current !== null) {
      place.current.open = true;
      place.current.scrollIntoView({ block: "start" });
    }
  }, [chosen]);
  return (
    <details class="operation" id={operation.operationId} ref={place}>
      <summary>
        <span class={`verb ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span class="faint">{operation.summary}</span>
      </summary>
      <div class="operation-body">
        <p>
          {isOpen(operation) ? "Needs no key." : (operation.description ?? "Needs a key.")}{" "}
          <a href={`#${operation.operationId}`}>{operation.operationId}</a>
        </p>
        <Parameters all={operation.parameters ?? []} document={document} />
        <RequestBody document={document} entry={entry} />
        <Replies document={document} entry={entry} />
        <h4>With curl</h4>
        <Snippet name={`curl for ${operation.operationId}`} text={asCurl(document, entry, base)} />
      </div>
    </details>
  );
}

function Parameters({ all, document }: { all: Parameter[]; document: Document }) {
  if (all.length === 0) return null;
  const properties = Object.fromEntries(
    all.map(({ name, description = "", schema, in: where }) => [
      name,
      { ...schema, description: `${description}${description === "" ? "" : " "}(in the ${where})` },
    ]),
  );
  const required = all.filter((parameter) => parameter.required).map(({ name }) => name);
  return (
    <>
      <h4>Parameters</h4>
      <SchemaTree document={document} schema={{ type: "object", properties, required }} />
    </>
  );
}

function RequestBody({ document, entry }: { document: Document; entry: Entry }) {
  const body = bodyOf(entry.operation);
  if (body === undefined) return null;
  return (
    <>
      <h4>Body</h4>
      <SchemaTree document={document} schema={body} />
      <h4>Example</h4>
      <Snippet
        name={`Example for ${entry.operation.operationId}`}
        text={JSON.stringify(bodyExample(document, entry), null, 2)}
      />
    </>
  );
}

function Replies({ document, entry }: { document: Document; entry: Entry }) {
  const all = Object.entries(entry.operation.responses).map(
    ([status, reply]) => [status, replyOf(document, reply)] as const,
  );
  return (
    <>
      <h4>Answers</h4>
      <ul class="replies">
        {all.map(([status, { description = "", content = {} }]) => {
          const schema = content[JSON_TYPE]?.schema;
          return (
            <li key={status}>
              <span class={`status ${status.startsWith("2") ? "good" : "other"}`}>{status}</span>{" "}
              {description} <span class="faint small">{Object.keys(content).join(", ")}</span>
              {status.startsWith("2") && schema !== undefined && (
                <SchemaTree document={document} schema={schema} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
