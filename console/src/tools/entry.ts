import type { NewUpstream } from "../api/types";

/** What somebody typed into the form of a new server. */
export interface EntryForm {
  id: string;
  title: string;
  kind: "url" | "command";
  url: string;
  header: string;
  value: string;
  /** A word of the command a line. */
  command: string;
  /** A directory a line. */
  show: string;
  trust: "untrusted" | "trusted";
  review: "first" | "manual" | "auto";
  approve: boolean;
}

export const EMPTY_ENTRY: EntryForm = {
  id: "",
  title: "",
  kind: "url",
  url: "",
  header: "Authorization",
  value: "",
  command: "",
  show: "",
  trust: "untrusted",
  review: "first",
  approve: false,
};

/** What is wrong with an id; nothing while there is none. */
export function idProblem(id: string): string | undefined {
  return id === "" || /^[a-z0-9][a-z0-9-]{0,39}$/.test(id)
    ? undefined
    : "1 to 40 small letters, digits and -, not - first.";
}

/** Whether enough was typed to be sent. */
export function isWhole({ id, kind, url, command }: EntryForm): boolean {
  const where = kind === "url" ? url : command;
  return id !== "" && idProblem(id) === undefined && where.trim() !== "";
}

/** The request that adds the server. */
export function requestOf(form: EntryForm): NewUpstream {
  const { id, trust, review } = form;
  const title = form.title.trim();
  return {
    id,
    ...(title === "" ? {} : { title }),
    ...(form.kind === "url" ? addressOf(form) : commandOf(form)),
    trust,
    review,
    approve: form.approve && review === "first",
  };
}

function addressOf({ url, header, value }: EntryForm): Partial<NewUpstream> {
  const given = value.trim();
  const credentials = { kind: "header" as const, headers: { [header.trim()]: given } };
  return { url: url.trim(), ...(given === "" ? {} : { credentials }) };
}

function commandOf({ command, show }: EntryForm): Partial<NewUpstream> {
  const directories = lines(show);
  return { command: lines(command), ...(directories.length === 0 ? {} : { show: directories }) };
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
