import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { KeyInfo } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { moment } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Badge, Card, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { NewKey } from "./NewKey";

/** Who may use the server. */
export function Keys() {
  const { server } = useDesk();
  const keys = useLoading(async () => (await server.keys()).keys, [server]);
  const [doomed, setDoomed] = useState<KeyInfo>();
  const [problem, setProblem] = useState<string>();
  const revoke = (key: KeyInfo) =>
    server.revokeKey(key.id).then(keys.reload, (error: unknown) => setProblem(explain(error)));
  return (
    <Card title="Keys">
      <NewKey onMade={keys.reload} />
      <Problem text={problem ?? keys.problem} />
      <Scroll class="table-box" name="Keys there are">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">May</th>
              <th scope="col">Made</th>
              <th scope="col">Expires</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {keys.value?.map((key) => (
              <tr key={key.id}>
                <td>
                  {key.name} <span class="faint small">{key.id}</span>
                </td>
                <td>{key.scopes.join(", ")}</td>
                <td class="whole-words">{moment(key.created_at)}</td>
                <td class="whole-words">{moment(key.expires_at) || "never"}</td>
                <td>
                  {key.revoked_at ? (
                    <Badge tone="quiet">revoked</Badge>
                  ) : (
                    <Button
                      kind="quiet"
                      icon="trash"
                      label={`Revoke ${key.name}`}
                      onClick={() => setDoomed(key)}
                    >
                      Revoke
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {doomed !== undefined && (
        <Confirm
          title={`Revoke the key ${doomed.name}?`}
          text="Whoever uses it is turned away from now on. This cannot be undone."
          act="Revoke"
          onYes={() => void revoke(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Card>
  );
}
