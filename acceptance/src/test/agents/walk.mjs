// Has real agents from npm work with a running server, and prints what their models were sent, in tokens.
// usage: node walk.mjs URL KEY [AGENT]...      SECONDS=70: how long the long program takes
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEncoding } from "js-tiktoken";
import { agents } from "./agents.mjs";
import { start } from "./endpoint.mjs";
import { steps } from "./script.mjs";

const MINUTES_MAX = 10;
const here = dirname(fileURLToPath(import.meta.url));
const tokens = getEncoding("o200k_base");
const count = (text) => tokens.encode(text, [], []).length;

const [url, key, ...wanted] = process.argv.slice(2);
if (key === undefined) {
  console.error("usage: node walk.mjs URL KEY [claude|codex|gemini|opencode]...");
  process.exit(2);
}

function run(command, home, environment) {
  const bin = join(process.env.AGENTS ?? join(here, "node_modules"), ".bin");
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: home, TERM: "dumb", NO_COLOR: "1", ...environment };
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    child.stderr.on("data", (data) => (said += data));
    const late = setTimeout(() => child.kill("SIGKILL"), MINUTES_MAX * 60_000);
    child.on("close", (code) => {
      clearTimeout(late);
      resolve({ code, said });
    });
  });
}

/// Text of an answer as the model reads it: images are not counted.
function read(sent) {
  const parts = Array.isArray(sent) ? sent : [sent];
  return parts.map((part) => (typeof part === "string" ? part : (part?.text ?? part?.response?.output ?? part?.response?.error ?? ""))).join("\n");
}

/// Answers of tools step by step: those of a wait belong to the step they wait for.
function judged(played, results, blind) {
  const rows = [];
  const left = [...results];
  for (const step of played) {
    const of = [];
    do {
      of.push(left.shift());
    } while (of.at(-1) !== undefined && left.length > 0 && !step.expect.test(of.at(-1).text));
    const last = of.at(-1);
    const good = last !== undefined && step.expect.test(last.text) && (!step.image || blind || last.images > 0);
    const images = last?.images > 0 ? `, ${last.images} image` : "";
    rows.push({ name: step.name, good, images, calls: of.length, tokens: of.map((each) => count(read(each?.sent ?? ""))) });
  }
  return rows;
}

async function walk(name) {
  const agent = agents[name];
  const home = mkdtempSync(join(tmpdir(), `agent-${name}-`));
  const played = steps(Number(process.env.SECONDS ?? 70));
  const model = await start(played);
  const place = { home, url, key, model: model.url };
  const environment = agent.prepare(place);
  let ended = { code: 0, said: "" };
  for (const command of agent.commands(place)) {
    ended = ended.code === 0 ? await run(command, home, environment) : ended;
  }
  model.stop();
  const { seen } = model;
  const ours = seen.tools.filter((tool) => /(sandbox_execute|files_|execution|session|output_read|list_runners)/.test(tool.name));
  const rows = judged(played, seen.results, agent.blind === true);
  const good = ended.code === 0 && seen.done && rows.every((row) => row.good);
  console.log(`${name}: ${good ? "good" : "BAD"}; ${ours.length} tools, ${count(JSON.stringify(ours.map((tool) => tool.sent)))} tokens`);
  for (const row of rows) {
    console.log(`  ${row.good ? "good" : "BAD "} ${row.name}: ${row.calls} calls, answers of ${row.tokens.join(" + ")} tokens${row.images}`);
  }
  if (!good || process.env.SHOW) {
    console.log(`  exit ${ended.code}: ${ended.said.slice(-3000)}`);
    console.log(`  requests: ${seen.requests.slice(-20).join(", ")}`);
    console.log(seen.tools.map((tool) => tool.name).join(" "));
    console.log(JSON.stringify(seen.results.map((result) => ({ ...result, sent: JSON.stringify(result.sent).slice(0, 600) })), null, 1));
  }
  rmSync(home, { recursive: true, force: true });
  return good;
}

let all = true;
for (const name of wanted.length > 0 ? wanted : Object.keys(agents)) {
  all = (await walk(name)) && all;
}
process.exit(all ? 0 : 1);
