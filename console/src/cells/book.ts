import { explain } from "../api/errors";
import type { Server } from "../api/server";
import { Observable } from "../lib/observable";
import { requestOf } from "../run/draft";
import type { Connection } from "../shell/connection";
import { vault } from "../shell/vault";
import { Cell } from "./cell";
import { isKeptBook, type KeptBook, NEW_BOOK, type Place } from "./kept";

/**
 * Cells of one session: programs that share their variables and run one after the other, in the order in which
 * they were asked for. What they printed and showed is the server's: after a reload it is read from the records.
 */
export class CellBook {
  readonly place: Observable<Place>;
  readonly cells: Observable<Cell[]>;
  /** What is to be said about the session itself. */
  readonly note = new Observable<string | undefined>(undefined);

  private readonly waiting: Cell[] = [];
  private working = false;
  private resumed = false;
  private count: number;

  constructor(
    private readonly server: Server,
    private readonly connection: Connection,
  ) {
    const kept = vault.cells();
    const book: KeptBook = isKeptBook(kept) ? kept : NEW_BOOK;
    this.place = new Observable(book.place);
    this.count = book.count;
    this.cells = new Observable(book.cells.map((cell) => this.made(cell.code, cell.run, cell.number)));
  }

  /** Shows again, once, what the cells did before the page was left. */
  async resume(): Promise<void> {
    if (this.resumed) return;
    this.resumed = true;
    await Promise.all(this.cells.value.map((cell) => cell.resume()));
  }

  settle(change: Partial<Place>): void {
    this.place.set({ ...this.place.value, ...change });
    this.keep();
  }

  /** A new cell behind another, or at the end. */
  add(behind?: Cell, code = ""): Cell {
    const cell = this.made(code);
    const at = behind === undefined ? this.cells.value.length : this.cells.value.indexOf(behind) + 1;
    this.cells.set([...this.cells.value.slice(0, at), cell, ...this.cells.value.slice(at)]);
    this.keep();
    return cell;
  }

  /** The last one is emptied, for there is always one to write in. */
  async remove(cell: Cell): Promise<void> {
    await this.stop(cell);
    cell.watch.leave();
    const rest = this.cells.value.filter((other) => other !== cell);
    this.cells.set(rest.length === 0 ? [this.made("")] : rest);
    this.keep();
  }

  next(cell: Cell): Cell {
    return this.cells.value[this.cells.value.indexOf(cell) + 1] ?? this.add(cell);
  }

  /** Has a cell run when those before it in the queue have ended. */
  async run(...cells: Cell[]): Promise<void> {
    for (const cell of cells) {
      if (cell.code.value.trim() !== "" && !cell.busy) {
        cell.waits.set(true);
        this.waiting.push(cell);
      }
    }
    if (!this.working) {
      this.working = true;
      await this.work().finally(() => {
        this.working = false;
      });
    }
  }

  runAll = () => this.run(...this.cells.value);

  /** Those that wait do not run; one that runs is stopped on the server. */
  async stop(cell: Cell): Promise<void> {
    this.withdraw(cell);
    await cell.watch.cancel();
  }

  /** Ends the interpreter with its variables; files stay. */
  async restart(): Promise<void> {
    const { thread, language } = this.place.value;
    this.forgetWaiting();
    try {
      const { sessions } = await this.server.sessions(false);
      const own = sessions.find((one) => one.thread_id === thread.trim() && one.language === language);
      if (own !== undefined) await this.server.endSession(own.id, false);
      this.count = 0;
      this.keep();
      this.note.set("The session was ended. The next cell starts a new one, without variables.");
    } catch (error) {
      this.note.set(explain(error));
    }
  }

  /** Stops looking; what runs goes on. */
  leave(): void {
    this.forgetWaiting();
    for (const cell of this.cells.value) cell.watch.leave();
  }

  /** A cell that fails keeps those behind it from running, for they may need what it did not do. */
  private async work(): Promise<void> {
    for (let cell = this.waiting.shift(); cell !== undefined; cell = this.waiting.shift()) {
      cell.waits.set(false);
      this.note.set(undefined);
      const { thread, language, image, environment } = this.place.value;
      const draft = { language, thread, image, environment, timeout: "", env: [], session: true };
      await cell.watch.start(requestOf({ ...draft, code: cell.code.value }));
      this.ended(cell);
    }
  }

  private ended(cell: Cell): void {
    const { phase, result } = cell.watch.view.value;
    if (phase === "ended") {
      const state = result?.session?.state;
      this.count = state === "kept" ? this.count + 1 : 1;
      cell.number.set(this.count);
      if (state === "restarted") this.note.set(result?.session?.reason ?? "The session was restarted.");
      else if (result?.session?.ended) this.note.set(result.session.ended);
    }
    if (phase !== "ended" || result?.status !== "success") this.forgetWaiting();
    this.keep();
  }

  private made(code: string, run?: string, number?: number): Cell {
    return new Cell(this.server, this.connection, () => this.keep(), code, run, number);
  }

  private withdraw(cell: Cell): void {
    const at = this.waiting.indexOf(cell);
    if (at >= 0) this.waiting.splice(at, 1);
    cell.waits.set(false);
  }

  private forgetWaiting(): void {
    for (const cell of [...this.waiting]) this.withdraw(cell);
  }

  private keep(): void {
    const book: KeptBook = {
      place: this.place.value,
      count: this.count,
      cells: this.cells.value.map((cell) => cell.kept()),
    };
    vault.keepCells(book);
  }
}
