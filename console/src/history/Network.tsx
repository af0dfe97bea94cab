import type { Execution } from "../api/types";
import { bytes, moment } from "../text/format";
import { Card } from "../ui/parts";
import { Scroll } from "../ui/Scroll";

/** What a program asked of the network, host by host. */
export function Network({ uses }: { uses: Execution["network"] }) {
  if (uses === undefined || uses.length === 0) return null;
  return (
    <Card title="Network">
      <Scroll class="table-box" name="Network">
        <table class="table">
          <thead>
            <tr>
              {["Host", "Port", "Verdict", "Requests", "Sent", "Received", "Last"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {uses.map((use) => (
              <tr key={`${use.host} ${use.port} ${use.verdict}`}>
                <td>{use.host}</td>
                <td class="number">{use.port === 0 ? "" : use.port}</td>
                <td>{use.verdict.replace("_", " ")}</td>
                <td class="number">{use.requests}</td>
                <td class="number">{bytes(use.sent)}</td>
                <td class="number">{bytes(use.received)}</td>
                <td>{moment(use.last_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
