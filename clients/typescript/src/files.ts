import type { Http } from "./http.js";
import { type File, file, type Raw } from "./models.js";

/** Files of a thread or a volume. */
export class Files {
  readonly #http: Http;
  readonly #place: { source: "thread" | "volume"; id: string };

  constructor(http: Http, source: "thread" | "volume", id: string) {
    this.#http = http;
    this.#place = { source, id };
  }

  /** All files, or those below a directory; fetched page by page. */
  async *list(path = "", recursive = true): AsyncGenerator<File, void> {
    let cursor: string | undefined;
    do {
      const body = { ...this.#place, recursive, ...(path && { path }), ...(cursor && { cursor }) };
      const page = await this.#http.json("POST", "/v1/files/list", { body });
      yield* page.files.filter((one: Raw) => !one.is_directory).map(file);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#http.follow(await this.#at("download", { path }));
  }

  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.read(path));
  }

  /** Stores a file: text, bytes or a blob. */
  async write(path: string, content: string | Uint8Array<ArrayBuffer> | Blob): Promise<void> {
    await this.#http.follow(await this.#at("upload", { path }), content);
  }

  async delete(path: string, recursive = false): Promise<void> {
    await this.#at("delete", { path, recursive });
  }

  #at(act: string, more: Raw): Promise<Raw> {
    return this.#http.json("POST", `/v1/files/${act}`, { body: { ...this.#place, ...more } });
  }
}
