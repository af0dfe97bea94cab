/**
 * Everything that can go wrong. A program that fails is not among it: its result says so, and `Result.check()`
 * turns that into `RunFailed` for those who prefer an exception.
 */

import type { Result } from "./models.js";

/** Base of all errors of this package. */
export class CaissonError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server cannot be reached, or the connection broke. */
export class Unreachable extends CaissonError {}

/** The program did not succeed, and the caller asked for an exception in that case. */
export class RunFailed extends CaissonError {
  constructor(readonly result: Result) {
    const last = result.stderr.trim().split("\n").pop();
    super(`${result.status}: ${last || (result.message ?? `exit code ${result.exitCode}`)}`);
  }
}

/** What the server says of a refusal. */
export interface Refusal {
  error?: string;
  message?: string;
  retryable?: boolean;
  retry_after_ms?: number | null;
  execution_id?: string | null;
  details?: Record<string, unknown> | null;
}

/** The server refused a request. Its sentence is the message of the error. */
export class ApiError extends CaissonError {
  /** The reason in one word, such as `thread_busy`. */
  readonly reason: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next attempt, where the server knows. */
  readonly retryAfter: number | undefined;
  /** The execution that the refusal is about, such as the one that uses the thread. */
  readonly executionId: string | undefined;
  readonly details: Record<string, unknown>;

  constructor(
    readonly httpStatus: number,
    body: Refusal,
  ) {
    super(body.message ?? `HTTP status ${httpStatus}`);
    this.reason = body.error ?? "unknown";
    this.retryable = body.retryable ?? false;
    this.retryAfter = body.retry_after_ms ?? undefined;
    this.executionId = body.execution_id ?? undefined;
    this.details = body.details ?? {};
  }
}

/** No key, or one that is not valid. */
export class Unauthorized extends ApiError {}

/** The key may not do this. */
export class Forbidden extends ApiError {}

/** There is no such thing, or it belongs to another key. */
export class NotFound extends ApiError {}

/** The request itself is wrong; the message names the member. */
export class InvalidRequest extends ApiError {}

/** Something else is in the way, such as a run in the same thread. */
export class Conflict extends ApiError {}

/** The server has no capacity now, or the key is over a limit. */
export class Unavailable extends ApiError {}

/** A fault of the server; its log has the number in the message. */
export class ServerFault extends ApiError {}

const BY_STATUS: Record<number, typeof ApiError> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Conflict,
  412: Conflict,
  429: Unavailable,
  503: Unavailable,
};

export function apiError(httpStatus: number, body: Refusal): ApiError {
  const Kind = BY_STATUS[httpStatus] ?? (httpStatus >= 500 ? ServerFault : InvalidRequest);
  return new Kind(httpStatus, body);
}

/** The error that ended a stream after its status was sent. */
export function streamError(body: Refusal): ApiError {
  if (body.error === "key_revoked") return new Unauthorized(401, body);
  return body.retryable ? new Unavailable(200, body) : new ServerFault(200, body);
}
