import { useEffect, useState } from "preact/hooks";
import { resultOf } from "../api/result";
import type { Execution } from "../api/types";
import { Calls } from "../calls/Calls";
import { useLoading } from "../lib/loading";
import { Display } from "../run/Display";
import { OutputRow } from "../run/OutputPane";
import { Products } from "../run/Products";
import { plainRows } from "../run/plain";
import { Value } from "../run/Value";
import { WholeOutput } from "../run/WholeOutput";
import { useDesk } from "../shell/context";
import { go, href } from "../shell/route";
import { bytes, moment } from "../text/format";
import { facts, sentence } from "../text/words";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Advice, Card, Problem, StatusBadge } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { argumentsOf, asCurl, asMcp, asPython } from "./copies";
import { Network } from "./Network";

/** How often one that still runs is looked at again. */
const REFRESH_MILLISECONDS = 1000;

/** One execution as it was recorded. */
export function ExecutionView({ id }: { id: string }) {
  const { server, run, runners, who } = useDesk();
  const loaded = useLoading(() => server.execution(id), [server, id]);
  const execution = loaded.value;
  const going = execution?.status === "running";
  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(loaded.reload, REFRESH_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [going, execution, loaded.reload]);
  if (execution === undefined) {
    return (
      <div class="detail">
        {loaded.problem ? <Problem text={loaded.problem} /> : <p class="faint">Loading…</p>}
      </div>
    );
  }
  const again = argumentsOf(execution, runners.limits.timeout_seconds);
  const env = Object.keys(again.env_vars ?? {}).map((name) => ({ name, value: "" }));
  const repeat = () => {
    run.edit({
      code: again.code,
      language: again.language,
      thread: again.thread_id ?? "",
      timeout: String(again.timeout ?? ""),
      env,
      session: false,
    });
    go("run");
    // Without the values of its variables it would be another run.
    if (env.length === 0) void run.run();
  };
  const place = { base: who.base_url || location.origin, auth: who.auth };
  return (
    <article class="detail" aria-label={`Execution ${execution.run_id}`}>
      <a class="back" href={href("history")}>
        ‹ All executions
      </a>
      <header class="detail-head">
        <p>
          <StatusBadge status={execution.status} /> {sentence(resultOf(execution))}
        </p>
        <div class="row">
          <Button kind="primary" icon="run" disabled={execution.code === undefined} onClick={repeat}>
            {env.length === 0 ? "Run again" : "Edit and run again"}
          </Button>
          <CopyButton label="Copy as curl" text={() => asCurl(place, again)} />
          <CopyButton label="Copy as MCP call" text={() => asMcp(again)} />
          <CopyButton label="Copy as Python" text={() => asPython(place, again)} />
        </div>
        {env.length > 0 && (
          <p class="faint small">
            Variables: {env.map(({ name }) => name).join(", ")}. Their values are not kept.
          </p>
        )}
      </header>
      <dl class="facts">
        {facts(resultOf(execution)).map(({ name, value, hint }) => (
          <div key={name} title={hint}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Started</dt>
          <dd>{moment(execution.created_at)}</dd>
        </div>
      </dl>
      <Advice text={execution.advice} />
      <Card title="Program" aside={execution.code !== undefined && <CopyButton text={execution.code} />}>
        <Text name="Program" text={execution.code ?? "The program text was not kept."} />
      </Card>
      <Calls execution={execution} />
      <Network uses={execution.network} />
      <Output execution={execution} />
      <Display forms={execution.display} />
      <Value handed={execution.result} id={execution.run_id} />
      <Products
        files={(execution.files ?? []).filter(({ changed }) => changed !== false)}
        thread={execution.thread_id}
      />
      <Card title="Envelope">
        <Text
          name="Envelope"
          text={JSON.stringify(
            {
              ...execution.envelope,
              metadata: execution.metadata,
              env_names: execution.env_names,
              limits: execution.limits,
              error: execution.error,
              metrics: execution.metrics,
              result: execution.result,
            },
            null,
            2,
          )}
        />
      </Card>
    </article>
  );
}

function Output({ execution }: { execution: Execution }) {
  const [whole, setWhole] = useState(false);
  const rows = [...plainRows("stdout", execution.stdout), ...plainRows("stderr", execution.stderr)];
  const aside = (
    <>
      <span class="faint small">
        {bytes(execution.stdout_bytes)} stdout, {bytes(execution.stderr_bytes)} stderr
        {execution.truncated && ", truncated"}
      </span>
      <Button kind="quiet" icon="file" onClick={() => setWhole(true)}>
        View all output
      </Button>
    </>
  );
  return (
    <Card title="Output" aside={aside}>
      <div class="output-still">
        {rows.length === 0 && <p class="faint">It printed nothing.</p>}
        {rows.map((row, at) => (
          <OutputRow key={at} row={row} />
        ))}
      </div>
      {whole && <WholeOutput id={execution.run_id} onClose={() => setWhole(false)} />}
    </Card>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  return (
    <Scroll class="text-preview" name={name}>
      <pre>{text}</pre>
    </Scroll>
  );
}
