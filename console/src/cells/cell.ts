import type { Server } from "../api/server";
import { Observable } from "../lib/observable";
import { RunWatch } from "../run/watch";
import type { Connection } from "../shell/connection";
import type { KeptCell } from "./kept";

let made = 0;

/** One program of a book, and what its last run did. */
export class Cell {
  readonly key = ++made;
  readonly code: Observable<string>;
  /** Which of the session's programs its last run was. */
  readonly number: Observable<number | undefined>;
  /** Whether it runs when those before it have ended. */
  readonly waits = new Observable(false);
  readonly watch: RunWatch;

  constructor(
    server: Server,
    connection: Connection,
    private readonly changed: () => void,
    code: string,
    private run?: string,
    number?: number,
  ) {
    this.code = new Observable(code);
    this.number = new Observable(number);
    const keep = (id: string) => {
      this.run = id;
      changed();
    };
    this.watch = new RunWatch(server, connection, { keep, forget: () => undefined });
  }

  get busy(): boolean {
    return this.waits.value || this.watch.busy;
  }

  write(code: string): void {
    this.code.set(code);
    this.changed();
  }

  /** Shows its last run again. One whose record is gone has never run. */
  async resume(): Promise<void> {
    if (this.run === undefined || this.watch.busy) {
      return;
    }
    await this.watch.attach(this.run);
    if (this.watch.view.value.phase === "refused") {
      this.run = undefined;
      this.number.set(undefined);
      this.watch.clear();
    }
  }

  kept(): KeptCell {
    const kept: KeptCell = { code: this.code.value };
    if (this.run !== undefined) kept.run = this.run;
    if (this.number.value !== undefined) kept.number = this.number.value;
    return kept;
  }
}
