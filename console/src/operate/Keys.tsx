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
  const { server, who } = useDesk();
  const keys = useLoading(async () => (await server.keys()).keys, [server]);
  const [doomed, setDoomed] = useState<KeyInfo>();
  const [problem, setProblem] = useState<string>();
  const revoke = (key: KeyInfo) =>
    server.revokeKey(key.id).then(keys.reload, (error: unknown) => setProblem(explain(error)));
  return (
    <Card title="Keys">
      <NewKey taken={(keys.value ?? []).filter((key) => !key.revoked_at)} onMade={keys.reload} />
      <Problem text={problem ?? keys.problem} />
      <Scroll class="table-box" name="Keys">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Scopes</th>
              <th scope="col">Profile</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              <th scope="col">Expires</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {keys.value?.map((key) => (
              <tr key={key.id}>
                <td>
                  {key.name} <span class="faint small">{key.id}</span>
                  {key.id === who.key_id && <Badge tone="quiet">you</Badge>}
                </td>
                <td>
                  {key.scopes.join(", ")}{" "}
                  <span class="faint small">{[seen(key), reached(key)].filter(Boolean).join("; ")}</span>
                </td>
                <td>
                  {key.profile} <span class="faint small">{key.environments.join(", ")}</span>
                </td>
                <td class="whole-words">{moment(key.created_at)}</td>
                <td class="whole-words">{moment(key.last_used_at) || "never"}</td>
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
          title={`Revoke key ${doomed.name}?`}
          text={`${doomed.id === who.key_id ? "This is the key you use now: you will be signed out. " : ""}Clients that use this key lose access at once, and its running programs are cancelled. You cannot undo this.`}
          act="Revoke"
          onYes={() => void revoke(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Card>
  );
}

/** What its programs reach; nothing to say of one without a network. */
function reached({ network }: KeyInfo): string {
  return network === undefined ? "" : `network: ${network.allow.map(({ host }) => host).join(", ")}`;
}

/** Which tools of other servers a key sees; nothing to say of one that sees all. */
function seen({ tools }: KeyInfo): string {
  if (tools.includes("*")) {
    return "";
  }
  return tools.length === 0 ? "no tools of other servers" : tools.join(", ");
}
