import type { Server } from "../api/server";
import { Observable } from "../lib/observable";
import type { Connection } from "../shell/connection";
import { vault } from "../shell/vault";
import { type Draft, isDraft, NEW_DRAFT, requestOf } from "./draft";
import { RunWatch } from "./watch";

/** Where programs are run: a draft, and the run that was made of it last. */
export class RunDesk extends RunWatch {
  readonly draft: Observable<Draft>;

  constructor(server: Server, connection: Connection) {
    super(server, connection, { keep: vault.keepRun, forget: vault.forgetRun });
    const kept = vault.draft();
    this.draft = new Observable(isDraft(kept) ? kept : NEW_DRAFT);
  }

  edit(change: Partial<Draft>): void {
    this.draft.set({ ...this.draft.value, ...change });
    vault.keepDraft(this.draft.value);
  }

  async run(): Promise<void> {
    if (this.busy || this.draft.value.code.trim() === "") {
      return;
    }
    const request = requestOf(this.draft.value);
    this.edit({ afresh: false });
    await this.start(request);
  }

  /** Takes up the run that was going on when the page was left. */
  async resume(): Promise<void> {
    const id = vault.run();
    if (id !== undefined && !this.busy) {
      await this.attach(id);
    }
  }
}
