/** The client: runs programs, at once, streamed or in the background, and keeps their files. */

import { CaissonError } from "./errors.js";
import { Files } from "./files.js";
import { Http } from "./http.js";
import { type Event, event, type Raw, Result, type RunOptions } from "./models.js";

const LOCAL = "http://127.0.0.1:8080";
const POLL_MILLISECONDS_MAX = 2000;

/** A server, by its address and a key. Both default to the variables `CAISSON_URL` and `CAISSON_KEY`. */
export class Caisson {
  readonly #http: Http;

  constructor({ url, key }: { url?: string; key?: string } = {}) {
    this.#http = new Http(url ?? variable("CAISSON_URL") ?? LOCAL, key ?? variable("CAISSON_KEY"));
  }

  /** Runs a program and returns how it ended; a failure is a result, too. */
  async run(code: string, options: RunOptions = {}): Promise<Result> {
    for await (const one of this.stream(code, options)) {
      if (one.type === "result") return one.result;
    }
    throw new CaissonError("the server ended the stream without a result");
  }

  /** Runs a program and yields what happens, as it happens; the result comes last. To stop reading ends the program. */
  stream(code: string, options: RunOptions = {}): AsyncGenerator<Event, void> {
    return known(this.#http.events("POST", "/v1/sandbox/execute", request(code, options)));
  }

  /** Starts a program in the background, where it goes on without this client. */
  async start(code: string, options: RunOptions = {}): Promise<Execution> {
    const ask = request(code, options, { Prefer: "respond-async" });
    const accepted = await this.#http.json("POST", "/v1/sandbox/execute", ask);
    return this.execution(accepted.execution_id);
  }

  /** An execution that was started before, by whichever client of the same key. */
  execution(id: string): Execution {
    return new Execution(this.#http, id);
  }

  /** Executions of this key, the newest first. */
  executions(
    filter: { status?: string; language?: string; thread_id?: string; q?: string } = {},
  ): AsyncGenerator<Raw, void> {
    return pages(this.#http, "/v1/executions", "executions", filter);
  }

  /** A workspace whose files stay from run to run; it is made by its first use. */
  thread(id: string): Thread {
    return new Thread(this, this.#http, id);
  }

  async *threads(): AsyncGenerator<Thread, void> {
    for await (const one of pages(this.#http, "/v1/threads", "threads")) yield this.thread(one.id);
  }

  /** The live interpreters of this key: thread, language, memory, whether one is busy. */
  async sessions(): Promise<Raw[]> {
    return (await this.#http.json("GET", "/v1/sessions")).sessions;
  }

  /** Ends a live interpreter by its id. */
  async endSession(id: string): Promise<void> {
    await this.#http.json("DELETE", `/v1/sessions/${id}`);
  }

  /** The files of a volume that this key may use. */
  volume(name: string): Files {
    return new Files(this.#http, "volume", name);
  }

  /** The languages, with their versions, and the limits of runs. */
  runners(): Promise<Raw> {
    return this.#http.json("GET", "/v1/runners");
  }

  /** Which key this is, and what it may do. */
  whoami(): Promise<Raw> {
    return this.#http.json("GET", "/v1/whoami");
  }
}

/** A run in the background. */
export class Execution {
  readonly #http: Http;

  constructor(
    http: Http,
    readonly id: string,
  ) {
    this.#http = http;
  }

  /** How it is now; its status is `running` until it has ended. */
  async result(): Promise<Result> {
    return new Result(await this.#http.json("GET", `/v1/executions/${this.id}`));
  }

  /** Waits for its end, or until the signal aborts; the program goes on then. */
  async wait(signal?: AbortSignal): Promise<Result> {
    for (let pause = 50; ; pause = Math.min(pause * 2, POLL_MILLISECONDS_MAX)) {
      signal?.throwIfAborted();
      const result = await this.result();
      if (!result.running) return result;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** What it writes, from the start or from the offsets given, until it has ended. */
  output(from: { stdoutOffset?: number; stderrOffset?: number } = {}): AsyncGenerator<Event, void> {
    const query = { stdout_offset: from.stdoutOffset, stderr_offset: from.stderrOffset };
    return known(this.#http.events("GET", `/v1/executions/${this.id}/output`, { query }));
  }

  /** Ends the program. */
  async cancel(): Promise<void> {
    await this.#http.json("DELETE", `/v1/executions/${this.id}`);
  }
}

/** A workspace with its files. */
export class Thread {
  readonly #client: Caisson;
  readonly #http: Http;
  readonly files: Files;

  constructor(
    client: Caisson,
    http: Http,
    readonly id: string,
  ) {
    this.#client = client;
    this.#http = http;
    this.files = new Files(http, "thread", id);
  }

  run(code: string, options: RunOptions = {}): Promise<Result> {
    return this.#client.run(code, { ...options, threadId: this.id });
  }

  stream(code: string, options: RunOptions = {}): AsyncGenerator<Event, void> {
    return this.#client.stream(code, { ...options, threadId: this.id });
  }

  start(code: string, options: RunOptions = {}): Promise<Execution> {
    return this.#client.start(code, { ...options, threadId: this.id });
  }

  /** An interpreter of this thread that keeps its variables from run to run. */
  session(language = "python"): Session {
    return new Session(this.#client, this, language);
  }

  /** Deletes the thread with all its files. */
  async delete(): Promise<void> {
    await this.#http.json("DELETE", `/v1/threads/${await this.#key()}`);
  }

  /** What stands for the thread in a path: its id, or its key where the id cannot stand there. */
  async #key(): Promise<string> {
    if (/^[A-Za-z0-9_-]+$/.test(this.id)) return this.id;
    for await (const one of pages(this.#http, "/v1/threads", "threads")) {
      if (one.id === this.id) return one.key;
    }
    return "none";
  }
}

/** A live interpreter: variables, imports and background processes stay between runs. */
export class Session {
  readonly #client: Caisson;

  constructor(
    client: Caisson,
    readonly thread: Thread,
    readonly language: string,
  ) {
    this.#client = client;
  }

  run(code: string, options: RunOptions = {}): Promise<Result> {
    return this.thread.run(code, { ...options, language: this.language, session: true });
  }

  stream(code: string, options: RunOptions = {}): AsyncGenerator<Event, void> {
    return this.thread.stream(code, { ...options, language: this.language, session: true });
  }

  /** Ends the interpreter, and runs a program in a new one. */
  restart(code: string, options: RunOptions = {}): Promise<Result> {
    return this.run(code, { ...options, sessionReset: true });
  }

  /** Ends the interpreter; the files of its thread stay. */
  async end(): Promise<void> {
    for (const one of await this.#client.sessions()) {
      if (one.thread_id === this.thread.id && one.language === this.language) await this.#client.endSession(one.id);
    }
  }
}

function request(code: string, options: RunOptions, more: Record<string, string> = {}) {
  const { idempotencyKey, signal, ...members } = options;
  const body: Raw = { code, language: "python" };
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) body[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  const headers = idempotencyKey === undefined ? more : { ...more, "Idempotency-Key": idempotencyKey };
  return { body, headers, signal };
}

async function* known(events: AsyncGenerator<Raw, void>): AsyncGenerator<Event, void> {
  for await (const raw of events) {
    const one = event(raw);
    if (one !== undefined) yield one;
  }
}

async function* pages(http: Http, path: string, member: string, query = {}): AsyncGenerator<Raw, void> {
  let cursor: string | undefined;
  do {
    const page = await http.json("GET", path, { query: { ...query, cursor } });
    yield* page[member];
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Of the environment, where there is one. */
function variable(name: string): string | undefined {
  const host = globalThis as { process?: { env: Record<string, string | undefined> } };
  return host.process?.env[name] || undefined;
}
