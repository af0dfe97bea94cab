// A model's endpoint on loopback that plays a script, in the words of the vendor that an agent expects.
import { createServer } from "node:http";
import { dialects } from "./dialects.mjs";
import { next } from "./script.mjs";

async function body(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}

/// @param played the steps of the script
/// @return the address, what was seen last, and a way to end it
export async function start(played) {
  const seen = { tools: [], results: [], done: false, requests: [] };
  const server = createServer(async (request, response) => {
    const dialect = dialects.find((each) => each.path.test(request.url));
    seen.requests.push(`${request.method} ${request.url}`);
    if (dialect === undefined || request.method !== "POST") {
      await body(request).catch(() => ({}));
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end('{"error":{"message":"not played here"}}');
      return;
    }
    const asked = await body(request);
    const { tools, results } = dialect.read(asked);
    const move = next(
      played,
      tools.map((tool) => tool.name),
      results.map((result) => result.text),
    );
    if (move.say !== "ok") {
      Object.assign(seen, { tools, results, done: move.call === undefined });
    }
    dialect.write(response, move, tools, request.url);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, stop: () => server.closeAllConnections() ?? server.close() };
}
