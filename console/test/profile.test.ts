import { expect, test } from "vitest";
import type { ProfileInfo } from "../src/api/types";
import { editable, limitsOf, quotasOf, read } from "../src/operate/profile";

const PROFILE: ProfileInfo = {
  name: "small",
  source: "stored",
  environments: [],
  env_vars: { PLACE: "north" },
  secret_env_vars: ["TOKEN"],
  volumes: [],
  toolsets: [],
  timeout_seconds: 5,
  timeout_seconds_max: 10,
  cpus_max: 2,
  runs_per_minute: 3,
};

test("an edited profile keeps its secrets by name", () => {
  expect(JSON.parse(editable(PROFILE))).toEqual({
    env_vars: { PLACE: "north" },
    keep_secret_env_vars: ["TOKEN"],
    timeout_seconds: 5,
    timeout_seconds_max: 10,
    cpus_max: 2,
    runs_per_minute: 3,
  });
});

test("settings are one object", () => {
  expect(read("{}")).toEqual({});
  expect(() => read("[]")).toThrow("one JSON object");
  expect(() => read("nonsense")).toThrow();
});

test("limits and quotas in a few words", () => {
  expect(limitsOf(PROFILE)).toBe("5 s up to 10 s, up to 2 cores");
  expect(quotasOf(PROFILE)).toBe("3 runs per minute");
});
