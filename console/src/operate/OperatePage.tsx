import { SessionTable } from "../sessions/SessionTable";
import { may, useDesk } from "../shell/context";
import { Card, Empty } from "../ui/parts";
import { Doctor } from "./Doctor";
import { Environments } from "./Environments";
import { Gauges } from "./Gauges";
import { Keys } from "./Keys";
import { Ledger } from "./Ledger";
import { Profiles } from "./Profiles";
import { RunnersCard } from "./RunnersCard";
import { Running } from "./Running";

/** For whoever runs the server. */
export function OperatePage() {
  const { who } = useDesk();
  if (!may(who, "admin")) {
    return <Empty title="This page needs a key with the scope admin." />;
  }
  return (
    <div class="page operate">
      <Gauges />
      <Running />
      <Card title="Sessions">
        <SessionTable all />
      </Card>
      <RunnersCard />
      <Environments />
      <Doctor />
      <Profiles />
      <Keys />
      <Ledger />
    </div>
  );
}
