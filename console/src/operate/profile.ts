import type { ProfileInfo, ProfileSettings } from "../api/types";
import { bytes } from "../text/format";

/** Settings as an operator edits them: secrets by name alone, which keeps their values. */
export function editable(profile: ProfileInfo): string {
  const { name: _name, source: _source, changed_at: _changed, secret_env_vars: secrets, ...rest } = profile;
  const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isEmpty(value)));
  return JSON.stringify(
    secrets.length === 0 ? settings : { ...settings, keep_secret_env_vars: secrets },
    null,
    2,
  );
}

/** Settings from what an operator wrote. */
export function read(text: string): ProfileSettings {
  const settings: unknown = JSON.parse(text);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw new Error('Write one JSON object, such as { "memory_bytes": 268435456 }.');
  }
  return settings as ProfileSettings;
}

/** Limits in a few words, without those of the server. */
export function limitsOf(profile: ProfileInfo): string {
  return words([
    upTo(profile.timeout_seconds, profile.timeout_seconds_max, (value) => `${value} s`),
    upTo(profile.memory_bytes, profile.memory_bytes_max, bytes),
    upTo(profile.cpus, profile.cpus_max, (value) => `${value} cores`),
    upTo(profile.processes, profile.processes_max, (value) => `${value} processes`),
  ]);
}

export function quotasOf(profile: ProfileInfo): string {
  return words([
    some(profile.runs_per_minute, (value) => `${value} runs per minute`),
    some(profile.cpu_seconds_per_day, (value) => `${value} s CPU time per day`),
    some(profile.bytes_per_day, (value) => `${bytes(value)} per day`),
  ]);
}

function words(all: string[]): string {
  return all.filter((word) => word !== "").join(", ");
}

function some(value: number | undefined, text: (value: number) => string): string {
  return value === undefined ? "" : text(value);
}

function upTo(value: number | undefined, most: number | undefined, text: (value: number) => string): string {
  const usual = some(value, text);
  return most === undefined ? usual : `${usual} up to ${text(most)}`.trim();
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
