import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { DoctorReport } from "../api/types";
import { useDesk } from "../shell/context";
import { plural } from "../text/format";
import { Button } from "../ui/Button";
import { Badge, Card, Notice, Problem } from "../ui/parts";

/** Has the server attack a sandbox of its own, and shows what held. */
export function Doctor() {
  const { server } = useDesk();
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<DoctorReport>();
  const [problem, setProblem] = useState<string>();
  const examine = async () => {
    setBusy(true);
    setProblem(undefined);
    await server.doctor().then(setReport, (error: unknown) => setProblem(explain(error)));
    setBusy(false);
  };
  return (
    <Card
      title="Doctor"
      aside={
        <Button icon="check" disabled={busy} onClick={() => void examine()}>
          {busy ? "Running checks…" : "Run checks"}
        </Button>
      }
    >
      <p class="faint">Attacks a sandbox from inside and reports which layers hold.</p>
      <Problem text={problem} />
      {report !== undefined && (
        <>
          <Notice tone={report.healthy ? "good" : "warn"}>
            {report.findings.filter(({ holds }) => holds).length} of {plural(report.findings.length, "check")}{" "}
            hold.
          </Notice>
          <ul class="plain findings">
            {report.findings.map((finding) => (
              <li key={`${finding.area} ${finding.check}`}>
                <Badge tone={finding.holds ? "good" : "bad"}>{finding.holds ? "holds" : "fails"}</Badge>{" "}
                <span class="faint">{finding.area}</span> {finding.check}
                {!finding.holds && (
                  <p class="small">
                    Found: {finding.detail} <br />
                    Fix: {finding.remedy}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
