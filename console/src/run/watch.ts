import { ApiError, explain, Unreachable } from "../api/errors";
import { type Ending, resultOf } from "../api/result";
import type { Server } from "../api/server";
import type { ExecuteRequest, RunEvent } from "../api/types";
import { Observable } from "../lib/observable";
import type { Connection } from "../shell/connection";
import { OutputLog } from "./output";
import { NOTHING, type RunView, threadOf, withFile } from "./view";

const PAUSE_MILLISECONDS = 500;

/** Where it is noted which run is going on, for whoever comes back after a reload. */
export interface RunMemory {
  keep: (id: string) => void;
  /** Its end is known. */
  forget: () => void;
}

/**
 * One run at a time, and what is seen of it. The run belongs to the server: it goes on when this page is
 * reloaded or the connection is lost, and its output is taken up again where it stopped.
 */
export class RunWatch {
  readonly view = new Observable<RunView>(NOTHING);
  /** Grows with the output, at most once a frame. */
  readonly progress = new Observable(0);
  output = new OutputLog();

  private watching = new AbortController();
  private drawing = false;

  constructor(
    protected readonly server: Server,
    private readonly connection: Connection,
    private readonly memory: RunMemory,
  ) {}

  get busy(): boolean {
    return this.view.value.phase === "starting" || this.view.value.phase === "running";
  }

  /** Runs a program and follows it to its end. */
  async start(request: ExecuteRequest): Promise<void> {
    const order = newOrder();
    this.begin({ phase: "starting", files: [], startedAt: Date.now(), ...threadOf(request.thread_id) });
    const { signal } = this.watching;
    try {
      await this.follow(() => this.watch(signal) ?? this.server.execute(request, order, signal));
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Takes up a run that was begun before, whether it has ended or not. */
  async attach(id: string): Promise<void> {
    this.begin({ phase: "running", files: [], id, attached: true, startedAt: Date.now() });
    try {
      const { thread_id, created_at } = await this.server.execution(id);
      this.change({ ...threadOf(thread_id), startedAt: Date.parse(created_at) || Date.now() });
      const { signal } = this.watching;
      await this.follow(() => this.server.watch(id, this.output.offsets, signal));
    } catch (error) {
      this.memory.forget();
      this.refuse(error);
    }
  }

  async cancel(): Promise<void> {
    const { id, cancelling } = this.view.value;
    if (!this.busy || cancelling) {
      return;
    }
    this.change({ cancelling: true });
    if (id !== undefined) {
      await this.stop(id);
    }
  }

  private async stop(id: string): Promise<void> {
    try {
      await this.server.cancel(id);
    } catch (error) {
      // A run that has ended meanwhile needs no stopping: its result is on the way.
      if (!(error instanceof ApiError && error.status === 409)) {
        this.change({ cancelling: false, problem: explain(error) });
      }
    }
  }

  /** As if nothing had run. */
  clear(): void {
    this.begin(NOTHING);
  }

  /** Stops looking; the run goes on. */
  leave(): void {
    this.watching.abort();
  }

  /** The run from where we are; nothing while it has not told its id. */
  private watch(signal: AbortSignal): AsyncGenerator<RunEvent> | undefined {
    const { id } = this.view.value;
    return id === undefined ? undefined : this.server.watch(id, this.output.offsets, signal);
  }

  /** Reads on to the end, through as many lost connections as it takes. */
  private async follow(events: () => AsyncGenerator<RunEvent>): Promise<void> {
    const { signal } = this.watching;
    while (!signal.aborted && this.busy) {
      try {
        for await (const event of events()) {
          this.take(event);
        }
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (!(error instanceof Unreachable)) {
          throw error;
        }
        await this.connection.waitForReturn();
        continue;
      }
      if (this.busy) {
        await this.settle(this.view.value.id);
      }
    }
  }

  /** The stream ended without a last word, as when the server was started anew: the record has it. */
  private async settle(id: string | undefined): Promise<void> {
    if (id === undefined) {
      throw new Error("The server ended its answer before the program began.");
    }
    const execution = await this.server.execution(id);
    if (execution.status === "running") {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    } else {
      this.end(execution);
    }
  }

  private take(event: RunEvent): void {
    switch (event.event) {
      case "started":
        this.started(event.run_id, event.thread_id);
        break;
      case "stdout":
      case "stderr":
        this.output.append(event.event, event.text, event.offset, event.next_offset);
        this.draw();
        break;
      case "file":
        this.change({ files: withFile(this.view.value.files, event) });
        break;
      case "result":
        this.end(event.result);
        break;
      case "error":
        this.memory.forget();
        this.change({ phase: "refused", problem: event.message });
        break;
      case "beat":
        break;
    }
  }

  private started(id: string, thread: string | undefined): void {
    const early = this.view.value.id === undefined && this.view.value.cancelling;
    this.memory.keep(id);
    this.change({ phase: "running", id, ...threadOf(thread) });
    if (early) {
      void this.stop(id);
    }
  }

  private end(ending: Ending): void {
    const result = resultOf(ending);
    this.memory.forget();
    const changed = (result.files ?? []).filter((file) => file.changed !== false);
    const files = changed.reduce(withFile, this.view.value.files);
    this.change({ phase: "ended", result, files });
    this.progress.set(this.progress.value + 1);
  }

  private refuse(error: unknown): void {
    if (!(error instanceof DOMException && error.name === "AbortError")) {
      this.change({ phase: "refused", problem: explain(error) });
    }
  }

  private begin(view: RunView): void {
    this.watching.abort();
    this.watching = new AbortController();
    this.output = new OutputLog();
    this.view.set(view);
    this.progress.set(this.progress.value + 1);
  }

  private change(change: Partial<RunView>): void {
    this.view.set({ ...this.view.value, ...change });
  }

  private draw(): void {
    if (!this.drawing) {
      this.drawing = true;
      requestAnimationFrame(() => {
        this.drawing = false;
        this.progress.set(this.progress.value + 1);
      });
    }
  }
}

/** A name for one wish to run; also where pages come without TLS, to which browsers give no `randomUUID`. */
function newOrder(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
