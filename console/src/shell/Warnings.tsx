import { useEvery, useLoading } from "../lib/loading";
import { useDesk } from "./context";

const PERIOD_MILLISECONDS = 60_000;

/** What will keep the server from its work unless somebody acts, such as a disk that is nearly full. */
export function Warnings() {
  const { server } = useDesk();
  const loaded = useLoading(async () => (await server.ready()).warnings ?? [], [server]);
  useEvery(PERIOD_MILLISECONDS, loaded.reload);
  return (
    <>
      {loaded.value?.map((warning) => (
        <div class="banner" role="alert" key={warning}>
          {warning}
        </div>
      ))}
    </>
  );
}
