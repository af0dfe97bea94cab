// Runs a program through a client that was generated from the server's OpenAPI document. What the
// document does not allow must not compile.
import createClient from "openapi-fetch";
import type { paths } from "./generated.js";

declare const process: { argv: string[] };

const [base, key] = process.argv.slice(2);
const client = createClient<paths, "application/json">({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } });

const who = await client.GET("/v1/whoami");
const run = await client.POST("/v1/sandbox/execute", {
  body: { language: "bash", code: "echo from a generated client; exit 5", thread_id: "generated" },
});
if (!run.data || !("stdout" in run.data)) {
  throw new Error(JSON.stringify(run.error));
}
const found = await client.GET("/v1/executions/{id}", { params: { path: { id: run.data.run_id } } });
const list = await client.GET("/v1/executions", { params: { query: { thread_id: "generated" } } });
// @ts-expect-error A program is needed.
const refused = await client.POST("/v1/sandbox/execute", { body: { language: "bash" } });

console.log(
  JSON.stringify({
    name: who.data?.name,
    stdout: run.data.stdout,
    exitCode: run.data.exit_code,
    found: found.data?.status,
    listed: list.data?.executions.length,
    refused: refused.error?.error,
  }),
);
