import { useEvery, useLoading } from "../lib/loading";
import { may, useDesk } from "../shell/context";
import { go } from "../shell/route";
import { Empty } from "../ui/parts";
import { Tabs } from "../ui/Tabs";
import { Catalogue } from "./Catalogue";
import { Connect } from "./Connect";
import { type Place, placeOf, restOf, type View } from "./place";
import { Review } from "./Review";
import { Servers } from "./Servers";
import { isMoving, waiting } from "./words";

const MOVING_MILLISECONDS = 1_500;
const CALM_MILLISECONDS = 10_000;

/** Tools of this server and of others: where they come from, what waits for a person, what models find. */
export function ToolsPage({ rest }: { rest: string }) {
  const { who } = useDesk();
  const place = placeOf(rest);
  if (place.view === "connect" && (may(who, "admin") || may(who, "tools"))) {
    return <Connect id={place.name} />;
  }
  if (may(who, "admin")) {
    return <ForOperators place={place} />;
  }
  if (!may(who, "tools")) {
    return <Empty title="This page needs a key with the scope tools or admin." />;
  }
  return (
    <div class="toolbox">
      <p class="toolbox-head faint">
        These are the tools this key finds. The servers they come from, and what waits for review, are shown
        to keys with the scope admin.
      </p>
      <Catalogue name={place.name} />
    </div>
  );
}

const PANEL = "toolbox-panel";

function ForOperators({ place }: { place: Place }) {
  const { server } = useDesk();
  const list = useLoading(server.tools.upstreams, [server]);
  const upstreams = list.value?.upstreams ?? [];
  useEvery(upstreams.some(isMoving) ? MOVING_MILLISECONDS : CALM_MILLISECONDS, list.reload);
  const wait = upstreams.reduce((sum, upstream) => sum + waiting(upstream), 0);
  const tabs: { value: View; text: string }[] = [
    { value: "servers", text: "Servers" },
    { value: "review", text: wait === 0 ? "Review" : `Review (${wait})` },
    { value: "catalogue", text: "Catalogue" },
  ];
  return (
    <div class="toolbox">
      <div class="toolbox-head">
        <Tabs
          name="Parts of the page"
          value={place.view}
          tabs={tabs}
          onChoose={(view) => go("tools", restOf(view))}
          panel={PANEL}
        />
      </div>
      <div class="toolbox-panel" id={PANEL} role="tabpanel" aria-label={place.view}>
        {place.view === "servers" && <Servers list={list} open={place.name} />}
        {place.view === "review" && <Review list={list} />}
        {place.view === "catalogue" && <Catalogue name={place.name} />}
      </div>
    </div>
  );
}
