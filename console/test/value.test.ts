import { afterEach, describe, expect, test } from "vitest";
import { Client, NOBODY } from "../src/api/client";
import { Server } from "../src/api/server";
import { shownValue } from "../src/run/returned";
import { Fake } from "./fake";

describe("what a program handed over", () => {
  test("nothing is shown where there is nothing, however the server says so", () => {
    expect(shownValue(undefined)).toBeUndefined();
    expect(shownValue(null)).toBeUndefined();
    expect(shownValue({})).toBeUndefined();
    expect(
      shownValue({ data: null, data_stored_bytes: 0, data_file: null, data_note: null }),
    ).toBeUndefined();
  });

  test("a value is shown, also one that counts as false", () => {
    expect(shownValue({ data: 0 })).toEqual({ data: 0, keptBytes: 0 });
    expect(shownValue({ data: false })).toEqual({ data: false, keptBytes: 0 });
    expect(shownValue({ data: "" })).toEqual({ data: "", keptBytes: 0 });
  });

  test("why there is none is shown", () => {
    expect(shownValue({ data: null, data_note: "It is not JSON." })).toEqual({
      keptBytes: 0,
      note: "It is not JSON.",
    });
  });

  test("one that is kept apart is shown with its size and its file", () => {
    const file = { path: "/workspace/result.json", bytes: 70_000 };
    expect(shownValue({ data: null, data_stored_bytes: 69_000, data_file: file })).toEqual({
      keptBytes: 69_000,
      file,
    });
  });
});

describe("a value that is kept apart", () => {
  let fake: Fake | undefined;
  afterEach(() => fake?.stop());

  test("is read from the record of its execution", async () => {
    fake = await Fake.start((_, response) => response.end(JSON.stringify({ data: [1, 2], data_note: null })));
    const server = new Server(new Client("key", NOBODY, fake.base));
    expect(await server.value("exe/1")).toEqual({ data: [1, 2] });
    expect(fake.seen).toEqual(["GET /v1/executions/exe%2F1/result"]);
  });
});
