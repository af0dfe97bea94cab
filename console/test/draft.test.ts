import { describe, expect, test } from "vitest";
import { imageType, kindOf } from "../src/files/media";
import { isDraft, NEW_DRAFT, requestOf, timeoutProblem } from "../src/run/draft";
import { EXAMPLES, examplesOf } from "../src/run/examples";
import { href, parse } from "../src/shell/route";

describe("drafts", () => {
  test("what is empty is left to the server", () => {
    expect(
      requestOf({ ...NEW_DRAFT, code: "1", thread: " ", timeout: "", env: [{ name: " ", value: "x" }] }),
    ).toEqual({
      code: "1",
      language: "python",
      display: true,
    });
  });

  test("a timeout that the server would refuse is named beforehand", () => {
    const problem = (timeout: string) => timeoutProblem({ ...NEW_DRAFT, timeout }, 3600);
    expect(["", "1", "3600"].map(problem)).toEqual([undefined, undefined, undefined]);
    expect(["0", "3601"].map(problem)).toEqual(["1 to 3600 seconds", "1 to 3600 seconds"]);
  });

  test("what is filled in is sent", () => {
    const env = [{ name: "A", value: "1" }];
    expect(
      requestOf({
        language: "bash",
        code: "x",
        thread: " t ",
        timeout: "5",
        env,
        session: true,
        stdin: "a\n",
      }),
    ).toEqual({
      language: "bash",
      code: "x",
      display: true,
      stdin: "a\n",
      thread_id: "t",
      timeout: 5,
      env_vars: { A: "1" },
      session: true,
    });
  });

  test("a session begins anew when that is asked for", () => {
    expect(requestOf({ ...NEW_DRAFT, session: true, afresh: true })).toMatchObject({
      session: true,
      session_reset: true,
    });
    expect(requestOf({ ...NEW_DRAFT, session: false, afresh: true }).session_reset).toBeUndefined();
  });

  test("a session needs a thread", () => {
    expect(requestOf({ ...NEW_DRAFT, thread: "", session: true }).session).toBeUndefined();
  });

  test("what a storage holds is taken only when it is a draft", () => {
    expect(isDraft(NEW_DRAFT)).toBe(true);
    for (const other of [undefined, null, 1, {}, { ...NEW_DRAFT, env: "x" }, { ...NEW_DRAFT, code: 1 }]) {
      expect(isDraft(other)).toBe(false);
    }
  });
});

test("every language has examples, one of them a chart", () => {
  for (const language of ["python", "node", "typescript", "bash"]) {
    expect(examplesOf(language).length).toBeGreaterThanOrEqual(2);
    expect(examplesOf(language).some(({ title }) => title.includes("chart"))).toBe(true);
  }
  expect(EXAMPLES.every(({ code }) => code.length > 20)).toBe(true);
});

describe("kinds of files", () => {
  test.each([
    ["a.png", "", "image"],
    ["a.SVG", "text/html", "image"],
    ["a.csv", "application/octet-stream", "csv"],
    ["a.json", "", "json"],
    ["a.html", "text/html", "text"],
    ["noname", "text/plain", "text"],
    ["noname", "image/png", "image"],
    ["a.bin", "application/octet-stream", "binary"],
  ])("%s of %j is shown as %s", (path, type, kind) => {
    expect(kindOf(path, type)).toBe(kind);
  });

  test("the type of a picture is always one of pictures", () => {
    for (const path of ["a.svg", "a.png", "a.html", "x", "a.png/evil"]) {
      expect(imageType(path)).toMatch(/^image\//);
    }
  });
});

describe("addresses of pages", () => {
  test.each(["run_1", "a b/ü#?%", "../x", "<img src=x>"])("%s survives", (rest) => {
    expect(parse(href("history", rest))).toEqual({ page: "history", rest });
  });

  test.each(["", "#", "#/", "#/nowhere/x", "#javascript:alert(1)", "#/files/%E0%A4%A"])(
    "%j leads to a page there is",
    (hash) => {
      expect(["run", "files"]).toContain(parse(hash).page);
    },
  );
});
