import { may, useDesk } from "../shell/context";
import { Empty } from "../ui/parts";
import { Doctor } from "./Doctor";
import { Gauges } from "./Gauges";
import { Keys } from "./Keys";
import { Ledger } from "./Ledger";
import { RunnersCard } from "./RunnersCard";

/** For whoever runs the server. */
export function OperatePage() {
  const { who } = useDesk();
  if (!may(who, "admin")) {
    return <Empty title="This page needs a key with the scope admin." />;
  }
  return (
    <div class="page operate">
      <Gauges />
      <RunnersCard />
      <Doctor />
      <Keys />
      <Ledger />
    </div>
  );
}
