import { ApiError, Unreachable } from "./errors";
import { jsonLines } from "./ndjson";
import { withoutNulls } from "./nulls";

export interface Sending {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Members of the answer that others wrote: null means itself there. */
  foreign?: readonly string[];
}

/** Told of every attempt to reach the server, so that the page can say when it is gone. */
export interface Witness {
  reached(): void;
  missed(): void;
  refused(error: ApiError): void;
}

export const NOBODY: Witness = { reached: () => {}, missed: () => {}, refused: () => {} };

/** The server, asked with one key. */
export class Client {
  constructor(
    readonly key: string | undefined,
    private readonly witness: Witness = NOBODY,
    private readonly base = "",
  ) {}

  async json<T>(path: string, sending: Sending = {}): Promise<T> {
    const response = await this.send(path, sending);
    return (response.status === 204 ? undefined : withoutNulls(await response.json(), sending.foreign)) as T;
  }

  /** The values of an answer that comes line by line. */
  async *lines<T>(path: string, sending: Sending = {}): AsyncGenerator<T> {
    const headers = { ...sending.headers, Accept: "application/x-ndjson" };
    const response = await this.send(path, { ...sending, headers });
    if (response.body === null) {
      return;
    }
    try {
      for await (const value of jsonLines<T>(response.body)) {
        yield withoutNulls(value);
      }
    } catch (error) {
      throw this.lost(error, sending.signal);
    }
  }

  /** An answer of any status below 400; the others are thrown. */
  async send(path: string, sending: Sending = {}): Promise<Response> {
    const response = await this.reach(path, sending);
    this.witness.reached();
    if (response.ok) {
      return response;
    }
    const error = await refusal(response);
    this.witness.refused(error);
    throw error;
  }

  private async reach(path: string, sending: Sending): Promise<Response> {
    const headers: Record<string, string> = { ...sending.headers };
    if (this.key !== undefined) {
      headers.Authorization = `Bearer ${this.key}`;
    }
    const init: RequestInit = {
      method: sending.method ?? "GET",
      headers,
      cache: "no-store",
      credentials: "omit",
    };
    if (sending.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(sending.body);
    }
    if (sending.signal !== undefined) {
      init.signal = sending.signal;
    }
    try {
      return await fetch(this.base + path, init);
    } catch (error) {
      throw this.lost(error, sending.signal);
    }
  }

  private lost(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted || !(error instanceof TypeError)) {
      return error;
    }
    this.witness.missed();
    return new Unreachable();
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const text = await response.text().catch(() => "");
  let code = "error";
  let message = `The server answered ${response.status}.`;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) {
      code = "error" in body && typeof body.error === "string" ? body.error : code;
      message = "message" in body && typeof body.message === "string" ? body.message : message;
    }
  } catch {
    // Not JSON: something between us and the server answered; the status says it all.
  }
  return new ApiError(response.status, code, message, Number.isFinite(wait) ? wait : undefined);
}
