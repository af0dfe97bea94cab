import { useEffect, useRef, useState } from "preact/hooks";
import { useObservable } from "../lib/observable";
import { Brand } from "../shell/Brand";
import { nextTheme, theme } from "../shell/theme";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Problem } from "../ui/parts";
import { type Document, type Group, groups, matching } from "./document";
import { OperationView } from "./OperationView";

export const DOCUMENT = "/v1/openapi.json";

/** Every route of this server, from the document it gives of itself. */
export function DocsPage() {
  const [document, setDocument] = useState<Document>();
  const [problem, setProblem] = useState<string>();
  const [search, setSearch] = useState("");
  const chosen = useHash();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    load().then(setDocument, () => setProblem(`The server did not give ${DOCUMENT}. Load the page again.`));
  }, []);
  const shown = document === undefined ? [] : matching(groups(document), search);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Top />
      <div class="docs">
        <Index groups={shown} />
        <main class="docs-main" ref={main} tabIndex={-1}>
          <h1>REST</h1>
          <p>
            {document?.info.summary} Version {document?.info.version ?? "…"}. The same as{" "}
            <a href={DOCUMENT}>OpenAPI</a>.
          </p>
          <Problem text={problem} />
          <Field name="Search the routes">
            <input
              type="search"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
              autocomplete="off"
            />
          </Field>
          <p class="faint small" role="status">
            {count(shown)}
          </p>
          {document !== undefined &&
            shown.map((group) => (
              <section key={group.name} id={`topic-${group.name}`} aria-label={group.name}>
                <h2>{group.name}</h2>
                <p class="faint">{group.about}</p>
                {group.entries.map((entry) => (
                  <OperationView
                    key={entry.operation.operationId}
                    document={document}
                    entry={entry}
                    base={location.origin}
                    chosen={chosen === entry.operation.operationId}
                  />
                ))}
              </section>
            ))}
        </main>
      </div>
    </div>
  );
}

function Top() {
  const colours = useObservable(theme);
  const icon = colours === "auto" ? "auto" : colours === "light" ? "sun" : "moon";
  return (
    <header class="top">
      <Brand />
      <a href="/">Console</a>
      <div class="account docs-account">
        <Button kind="quiet" icon={icon} label={`Theme: ${colours}`} onClick={nextTheme} />
      </div>
    </header>
  );
}

function Index({ groups: all }: { groups: Group[] }) {
  return (
    <nav class="docs-index" aria-label="Routes">
      {all.map((group) => (
        <div key={group.name}>
          <p class="docs-topic">{group.name}</p>
          <ul>
            {group.entries.map(({ operation }) => (
              <li key={operation.operationId}>
                <a href={`#${operation.operationId}`}>{operation.operationId}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function count(shown: Group[]): string {
  const routes = shown.reduce((sum, group) => sum + group.entries.length, 0);
  return `${routes} ${routes === 1 ? "route" : "routes"}`;
}

async function load(): Promise<Document> {
  const answer = await fetch(DOCUMENT);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** What the address names, as in `#execute`. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return hash;
}
