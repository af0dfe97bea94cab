/** Requests to the server, with `fetch` alone. */

import { apiError, type Refusal, streamError, Unreachable } from "./errors.js";
import type { Raw } from "./models.js";

export interface Ask {
  body?: Raw;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** A signed address that allows one act on one file. */
interface Link {
  url: string;
  method: string;
  headers: { name: string; value: string }[];
}

export class Http {
  readonly #url: string;
  readonly #key: string | undefined;

  constructor(url: string, key: string | undefined) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
  }

  /** The answer, read as JSON; an empty object when it has no body. */
  async json(method: string, path: string, ask: Ask = {}): Promise<Raw> {
    const answer = await this.#ask(method, path, ask);
    const text = await answer.text();
    return text === "" ? {} : JSON.parse(text);
  }

  /** The objects of a stream as they come. An error in it is thrown. */
  async *events(method: string, path: string, ask: Ask = {}): AsyncGenerator<Raw, void> {
    const headers = { ...ask.headers, Accept: "application/x-ndjson" };
    const answer = await this.#ask(method, path, { ...ask, headers });
    for await (const line of lines(answer)) {
      const event = JSON.parse(line);
      if (event.event === "error") throw streamError(event);
      yield event;
    }
  }

  /** Fetches or stores by a signed link, at the address by which we know the server. */
  async follow(link: Raw, body?: BodyInit): Promise<Uint8Array> {
    const { url, method, headers } = link as Link;
    const { pathname, search } = new URL(url);
    const answer = await this.#send(this.#url + pathname + search, {
      method,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...(body === undefined ? {} : { body }),
    });
    return new Uint8Array(await answer.arrayBuffer());
  }

  #ask(method: string, path: string, { body, query = {}, headers, signal }: Ask): Promise<Response> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.#send(this.#url + path + (search && `?${search}`), {
      method,
      headers: {
        ...(this.#key === undefined ? {} : { Authorization: `Bearer ${this.#key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async #send(address: string, request: RequestInit): Promise<Response> {
    const answer = await reached(this.#url, fetch(address, request));
    if (!answer.ok) throw apiError(answer.status, refusal(await answer.text()));
    return answer;
  }
}

/** The lines of an answer. A reader who stops early closes the connection. */
async function* lines(answer: Response): AsyncGenerator<string, void> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reached(answer.url, reader.read());
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.filter((line) => line !== "");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `fetch` throws a `TypeError` for whatever is wrong with a connection; what the caller aborted stays as it is. */
async function reached<T>(url: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof TypeError) throw new Unreachable(`${url}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What a refusal says; empty when it is not from Caisson, but from a proxy before it. */
function refusal(text: string): Refusal {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
