import { useState } from "preact/hooks";
import { useDesk } from "../shell/context";
import { Card } from "../ui/parts";
import { Snippet } from "../ui/Snippet";
import { Tabs } from "../ui/Tabs";
import { Check } from "./Check";
import { ClientKey } from "./ClientKey";
import { recipes } from "./snippets";

const PLACEHOLDER = "YOUR_KEY";

/** What to paste into a client so that it finds this server. */
export function ConnectPage() {
  const { who } = useDesk();
  const [client, setClient] = useState("Claude Code");
  const [key, setKey] = useState<string>();
  const url = `${who.base_url || location.origin}/mcp`;
  const all = recipes(url, who.auth ? (key ?? PLACEHOLDER) : undefined);
  const recipe = all.find((candidate) => candidate.client === client) ?? all[0];

  return (
    <div class="page">
      <Card title="Connect a client">
        <p>
          The server speaks the Model Context Protocol at <code>{url}</code>. Choose your client and paste
          what it needs. Programs of your own can use <a href="/v1/docs">REST</a>.
        </p>
        <Tabs
          name="Clients"
          panel="recipe"
          value={client}
          onChoose={(chosen) => {
            setClient(chosen);
            setKey(undefined);
          }}
          tabs={all.map((candidate) => ({ value: candidate.client, text: candidate.client }))}
        />
        <div id="recipe" role="tabpanel" aria-label={client}>
          {recipe !== undefined && (
            <>
              <p class="faint small">{recipe.where}</p>
              <Snippet name={`For ${recipe.client}`} text={recipe.text} />
            </>
          )}
        </div>
        {who.auth && client !== "stdio" && <ClientKey client={client} onKey={setKey} made={key} />}
      </Card>
      <Check />
    </div>
  );
}
