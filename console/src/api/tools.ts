import type { Client } from "./client";
import { query } from "./query";
import type {
  Connection,
  Decision,
  DescribedTool,
  ListedTools,
  NewUpstream,
  ReviewedTool,
  ReviewedTools,
  ToolAnswer,
  UpstreamInfo,
  UpstreamList,
} from "./types";

const at = encodeURIComponent;

/** What other servers and whoever calls tools wrote: null means itself there. */
const FOREIGN = [
  "approved_definition",
  "arguments",
  "definition",
  "entry",
  "input_schema",
  "output_schema",
] as const;

/** What the console asks about other servers and about tools. */
export class ToolsApi {
  constructor(private readonly client: Client) {}

  upstreams = () => this.client.json<UpstreamList>("/v1/upstreams");
  upstream = (id: string) => this.client.json<UpstreamInfo>(`/v1/upstreams/${at(id)}`, { foreign: FOREIGN });
  addUpstream = (upstream: NewUpstream) =>
    this.client.json<UpstreamInfo>("/v1/upstreams", { method: "POST", body: upstream, foreign: FOREIGN });
  removeUpstream = (id: string) => this.client.json<void>(`/v1/upstreams/${at(id)}`, { method: "DELETE" });

  /** Has its tools listed now, or ends its connection and makes another. */
  act = (id: string, what: "refresh" | "restart") =>
    this.client.json<UpstreamInfo>(`/v1/upstreams/${at(id)}/${what}`, { method: "POST", foreign: FOREIGN });

  /**
   * Begins to connect it: the answer is the page of its authorization server, and this browser alone can
   * come back from there.
   */
  connect = (id: string, own: boolean) =>
    this.client.json<Connection>(`/v1/upstreams/${at(id)}/connect`, {
      method: "POST",
      body: { server: own },
    });

  toolsOf = (id: string, state?: string, cursor?: string) =>
    this.client.json<ReviewedTools>(`/v1/upstreams/${at(id)}/tools${query({ state, cursor, limit: 50 })}`, {
      foreign: FOREIGN,
    });

  /** Decides on the definition that was seen, and on no other. */
  review = (id: string, tool: ReviewedTool, decision: Decision) =>
    this.client.json<ReviewedTool>(`/v1/upstreams/${at(id)}/tools/${at(tool.name)}/review`, {
      method: "POST",
      body: { ...decision, hash: tool.hash },
      foreign: FOREIGN,
    });

  /** Approves all of these definitions, or none where one is not the one that was seen. */
  approve = (id: string, tools: ReviewedTool[]) =>
    this.client.json<void>(`/v1/upstreams/${at(id)}/review`, {
      method: "POST",
      body: { decision: "approve", tools: tools.map(({ name, hash }) => ({ name, hash })) },
    });

  /** Tools that the key finds; with words, those a model gets that searches with them. */
  find = (asked: { q?: string; server?: string; cursor?: string; limit?: number }) =>
    this.client.json<ListedTools>(`/v1/tools${query(asked)}`);

  describe = (server: string, tool: string, format: string) =>
    this.client.json<DescribedTool>(`/v1/tools/${at(server)}/${at(tool)}${query({ format })}`, {
      foreign: FOREIGN,
    });

  call = (server: string, tool: string, given: Record<string, unknown>) =>
    this.client.json<ToolAnswer>(`/v1/tools/${at(server)}/${at(tool)}/call`, {
      method: "POST",
      body: { arguments: given },
    });
}
