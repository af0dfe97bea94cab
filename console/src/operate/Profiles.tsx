import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { ProfileInfo } from "../api/types";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { Badge, Card, Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { editable, limitsOf, quotasOf, read } from "./profile";

/** What the sandboxes of keys get: listed, edited as JSON, removed. */
export function Profiles() {
  const { server } = useDesk();
  const profiles = useLoading(async () => (await server.profiles()).profiles, [server]);
  const [edited, setEdited] = useState<{ name: string; text: string; fresh: boolean }>();
  const [doomed, setDoomed] = useState<ProfileInfo>();
  const [problem, setProblem] = useState<string>();

  const save = async (event: Event) => {
    event.preventDefault();
    if (edited === undefined) return;
    setProblem(undefined);
    try {
      await server.setProfile(edited.name.trim(), read(edited.text));
      setEdited(undefined);
      profiles.reload();
    } catch (error) {
      setProblem(explain(error));
    }
  };
  const remove = (profile: ProfileInfo) =>
    server.removeProfile(profile.name).then(profiles.reload, (error: unknown) => setProblem(explain(error)));

  return (
    <Card
      title="Profiles"
      aside={
        <Button icon="plus" onClick={() => setEdited({ name: "", text: "{\n}", fresh: true })}>
          New profile
        </Button>
      }
    >
      <p class="faint small">
        A profile says what the sandboxes of a key get. A change holds for the next call of its keys.
      </p>
      <Problem text={problem ?? profiles.problem} />
      {edited !== undefined && (
        <form class="stack" onSubmit={(event) => void save(event)}>
          <Field name="Profile name">
            <input
              value={edited.name}
              maxLength={63}
              placeholder="small"
              readOnly={!edited.fresh}
              onInput={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
            />
          </Field>
          <Field name="Profile settings (JSON)">
            <textarea
              class="code"
              rows={12}
              spellcheck={false}
              value={edited.text}
              onInput={(event) => setEdited({ ...edited, text: event.currentTarget.value })}
            />
          </Field>
          <div class="row">
            <Button type="submit" kind="primary" icon="check" disabled={edited.name.trim() === ""}>
              Save profile
            </Button>
            <Button kind="quiet" onClick={() => setEdited(undefined)}>
              Close
            </Button>
          </div>
        </form>
      )}
      <Scroll class="table-box" name="Profiles">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Limits</th>
              <th scope="col">Quotas</th>
              <th scope="col">Secrets</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {profiles.value?.map((profile) => (
              <tr key={profile.name}>
                <td>
                  {profile.name} <span class="faint small">{profile.description}</span>
                </td>
                <td>{limitsOf(profile) || "of the server"}</td>
                <td>{quotasOf(profile) || "none"}</td>
                <td>{profile.secret_env_vars.join(", ")}</td>
                <td>
                  {profile.source === "configuration" ? (
                    <Badge tone="quiet">in the configuration</Badge>
                  ) : (
                    <>
                      <Button
                        kind="quiet"
                        label={`Edit profile ${profile.name}`}
                        onClick={() =>
                          setEdited({ name: profile.name, text: editable(profile), fresh: false })
                        }
                      >
                        Edit
                      </Button>
                      {profile.source === "stored" && (
                        <Button
                          kind="quiet"
                          icon="trash"
                          label={`Remove profile ${profile.name}`}
                          onClick={() => setDoomed(profile)}
                        >
                          Remove
                        </Button>
                      )}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {doomed !== undefined && (
        <Confirm
          title={`Remove profile ${doomed.name}?`}
          text="A profile that keys have cannot be removed. You cannot undo this."
          act="Remove"
          onYes={() => void remove(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Card>
  );
}
