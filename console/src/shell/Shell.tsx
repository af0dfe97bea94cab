import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CellsPage } from "../cells/CellsPage";
import { ConnectPage } from "../connect/ConnectPage";
import { FilesPage } from "../files/FilesPage";
import { HistoryPage } from "../history/HistoryPage";
import { useObservable } from "../lib/observable";
import { OperatePage } from "../operate/OperatePage";
import { RunPage } from "../run/RunPage";
import { ToolsPage } from "../tools/ToolsPage";
import { Button } from "../ui/Button";
import { Icon, type IconName } from "../ui/Icon";
import { Brand } from "./Brand";
import { may, useDesk } from "./context";
import { href, type Page, route } from "./route";
import { nextTheme, theme } from "./theme";
import { Warnings } from "./Warnings";

const PAGES: Record<Page, { name: string; icon: IconName; view: ComponentType<{ rest: string }> }> = {
  run: { name: "Run", icon: "run", view: RunPage },
  cells: { name: "Cells", icon: "cells", view: CellsPage },
  files: { name: "Files", icon: "files", view: FilesPage },
  history: { name: "History", icon: "history", view: HistoryPage },
  tools: { name: "Tools", icon: "tools", view: ToolsPage },
  connect: { name: "Connect", icon: "connect", view: ConnectPage },
  operate: { name: "Operate", icon: "operate", view: OperatePage },
};

/** Pages that are of no use to keys without a scope. */
const NEEDED: Partial<Record<Page, string>> = { tools: "tools", operate: "admin" };

export function Shell({ onLeave }: { onLeave: () => void }) {
  const { who, connection } = useDesk();
  const { page, rest } = useObservable(route);
  const lost = useObservable(connection.lost);
  const main = useRef<HTMLElement>(null);
  const View = PAGES[page].view;
  const pages = (Object.keys(PAGES) as Page[]).filter((name) => {
    const scope = NEEDED[name];
    return scope === undefined || may(who, scope);
  });

  useEffect(() => {
    document.title = `${PAGES[page].name} · Caisson`;
    main.current?.scrollTo(0, 0);
  }, [page]);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <Brand />
        <nav class="nav" aria-label="Pages">
          {pages.map((name) => (
            <a key={name} href={href(name)} aria-current={name === page ? "page" : undefined}>
              <Icon name={PAGES[name].icon} />
              <span>{PAGES[name].name}</span>
            </a>
          ))}
        </nav>
        <Account name={who.auth ? who.name : "No key needed"} leave={who.auth ? onLeave : undefined} />
      </header>
      {lost && (
        <div class="banner" role="alert">
          The connection to the server is lost. Trying again; what is shown may be out of date.
        </div>
      )}
      <Warnings />
      <main class="main" id="main" ref={main} tabIndex={-1}>
        <h1 class="hidden">{PAGES[page].name}</h1>
        <View rest={rest} />
      </main>
    </div>
  );
}

function Account({ name, leave }: { name: string; leave: (() => void) | undefined }) {
  const chosen = useObservable(theme);
  const icon = chosen === "auto" ? "auto" : chosen === "light" ? "sun" : "moon";
  return (
    <div class="account">
      <span class="account-name" title="The key you are signed in with">
        {name}
      </span>
      <Button kind="quiet" icon={icon} label={`Theme: ${chosen}`} onClick={nextTheme} />
      {leave && <Button kind="quiet" icon="leave" label="Sign out" onClick={leave} />}
    </div>
  );
}
