import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { languageName } from "../text/words";
import { Badge, Card, Problem } from "../ui/parts";

const TIERS: Record<string, { tone: "good" | "warn" | "bad"; words: string }> = {
  full: { tone: "good", words: "Every isolation layer is active." },
  reduced: { tone: "warn", words: "Some layers are missing. The operator accepted this." },
  closed: { tone: "bad", words: "No program can run: required layers are missing." },
};

/** What programs can be written in, and which walls stand around them. */
export function RunnersCard() {
  const { server } = useDesk();
  const runners = useLoading(server.runners, [server]);
  const status = useLoading(server.status, [server]);
  const found = runners.value;
  const tier = TIERS[found?.tier ?? ""];
  return (
    <Card
      title="Runners and isolation"
      aside={tier && <Badge tone={tier.tone}>{`isolation ${found?.tier}`}</Badge>}
    >
      <Problem text={runners.problem} />
      <div class="columns">
        <div>
          <h3>Languages</h3>
          <ul class="plain">
            {found?.languages.map((runner) => (
              <li key={runner.name}>
                <strong>{languageName(runner.language)}</strong>{" "}
                <span class="faint">
                  {runner.version}
                  {runner.image === "host" ? ", installed on this machine" : `, image ${runner.image}`}
                </span>
              </li>
            ))}
            {found?.missing.map((absent) => (
              <li key={absent.language}>
                <strong>{languageName(absent.language)}</strong> <Badge tone="warn">missing</Badge>{" "}
                <span class="faint">
                  {absent.why} {absent.remedy}
                </span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Layers</h3>
          <p class="faint small">{tier?.words}</p>
          <ul class="plain layers">
            {status.value?.isolation.layers.map((layer) => (
              <li key={layer.name}>
                <Badge tone={layer.in_force ? "good" : "bad"}>{layer.in_force ? "holds" : "missing"}</Badge>{" "}
                {layer.name.replaceAll("_", " ")} <span class="faint small">{layer.reason}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}
