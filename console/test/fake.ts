import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a browser has and Node has not. */
export function browser(): void {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  Object.assign(globalThis, {
    sessionStorage: storage,
    localStorage: storage,
    requestAnimationFrame: (act: () => void) => setTimeout(act),
  });
}

/** A server of our own that answers as the test wants. */
export class Fake {
  readonly seen: string[] = [];
  private readonly http: Server;

  private constructor(act: (request: IncomingMessage, response: ServerResponse) => void) {
    this.http = createServer((request, response) => {
      this.seen.push(`${request.method} ${request.url}`);
      act(request, response);
    });
  }

  static async start(act: (request: IncomingMessage, response: ServerResponse) => void): Promise<Fake> {
    const fake = new Fake(act);
    await new Promise<void>((resolve) => fake.http.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.http.close();
    this.http.closeAllConnections();
  }
}
