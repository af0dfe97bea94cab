/** A refusal of the server: what it calls it and what it says about it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** Whether it is the key that is not accepted; after some wrong ones the server says so by a pause. */
  get refusesKey(): boolean {
    return this.status === 401 || (this.status === 429 && /attempt/i.test(this.message));
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/** One sentence for a person, whatever went wrong. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    switch (error.status) {
      case 401:
        return "This key is not accepted: it is mistyped, was revoked, or has expired.";
      case 403:
        return `This key does not allow that. ${error.message}`;
      case 429:
        return tooMany(error);
      case 500:
        return `The server failed. ${error.message}`;
      default:
        return error.message;
    }
  }
  if (error instanceof Unreachable) {
    return error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

function tooMany(error: ApiError): string {
  const wait = error.retryAfterSeconds;
  const again = wait === undefined ? "Try again in a moment." : `Try again in ${wait} s.`;
  return error.refusesKey
    ? `Too many wrong keys from this address. ${again}`
    : `The server is busy. ${again}`;
}
