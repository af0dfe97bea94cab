import { expect, test } from "vitest";
import type { Runners } from "../src/api/types";
import { NEW_DRAFT, requestOf } from "../src/run/draft";
import { chosenRunner, packageOptions, runnerOptions } from "../src/run/packages";

const RUNNERS = {
  languages: [
    { language: "python", image: "host", name: "python", version: "3.11.2" },
    { language: "python", image: "science", name: "science", version: "3.13.1" },
  ],
  environments: [{ name: "data" }, { name: "web" }],
  default_environments: ["data", "gone"],
} as unknown as Runners;

test("an image is another choice than this machine's own", () => {
  expect(runnerOptions(RUNNERS)).toEqual([
    { value: "python", text: "Python 3.11.2" },
    { value: "python science", text: "Python 3.13.1 (science)" },
  ]);
  expect(chosenRunner("python science")).toEqual({ language: "python", image: "science" });
  expect(chosenRunner("python")).toEqual({ language: "python", image: "" });
});

test("packages are the default ones, named ones or none", () => {
  expect(packageOptions(RUNNERS).map(({ text }) => text)).toEqual(["Default (data)", "data", "web", "None"]);
});

test("a request names what was chosen and nothing else", () => {
  expect(requestOf(NEW_DRAFT)).not.toHaveProperty("environment");
  expect(requestOf({ ...NEW_DRAFT, environment: "web", image: "" })).toMatchObject({ environment: "web" });
  expect(requestOf({ ...NEW_DRAFT, environment: "web", image: "science" })).toMatchObject({
    image: "science",
  });
  expect(requestOf({ ...NEW_DRAFT, environment: "web", image: "science" })).not.toHaveProperty("environment");
});
