import type { Witness } from "../api/client";
import type { ApiError } from "../api/errors";
import { Observable } from "../lib/observable";

const RETRY_MILLISECONDS = 1500;

/** Whether the server can be reached. When it cannot, it is asked again and again until it can. */
export class Connection implements Witness {
  readonly lost = new Observable(false);
  /** Grows each time the server is back, so that what is shown can be asked for again. */
  readonly returns = new Observable(0);

  constructor(private readonly onUnauthorized: () => void) {}

  reached(): void {
    if (this.lost.value) {
      this.lost.set(false);
      this.returns.set(this.returns.value + 1);
    }
  }

  missed(): void {
    if (!this.lost.value) {
      this.lost.set(true);
      void this.waitForReturn();
    }
  }

  refused(error: ApiError): void {
    if (error.refusesKey) {
      this.onUnauthorized();
    }
  }

  /** Comes back when the server does. */
  async waitForReturn(): Promise<void> {
    while (this.lost.value) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      try {
        await fetch("/healthz", { cache: "no-store" });
        this.reached();
      } catch {
        // Still gone; asked again after the pause.
      }
    }
  }
}
