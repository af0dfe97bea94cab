/** No line of the server's is longer; a stream that has one is not the server's. */
const LINE_LENGTH_MAX = 32 << 20;

/** The JSON values of a body with one value a line, as they arrive. Empty lines are heartbeats. */
export async function* jsonLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        if (line.trim() !== "") {
          yield JSON.parse(line) as T;
        }
      }
      if (done) {
        return;
      }
      if (rest.length > LINE_LENGTH_MAX) {
        throw new Error("The server sent a line without an end.");
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
