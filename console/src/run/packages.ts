import type { Runners } from "../api/types";
import { languageName } from "../text/words";
import type { Draft } from "./draft";

type Option = { value: string; text: string };

/** A runner in one word: an image may have a language that this machine has too. */
export function runnerWord(language: string, image = "host"): string {
  return image === "host" ? language : `${language} ${image}`;
}

export function runnerOptions(runners: Runners): Option[] {
  return runners.languages.map(({ language, version, image }) => ({
    value: runnerWord(language, image),
    text:
      image === "host" ? languageName(language, version) : `${languageName(language, version)} (${image})`,
  }));
}

/** What a word of `runnerOptions` changes in a draft. */
export function chosenRunner(word: string): Pick<Draft, "language" | "image"> {
  const [language = "", ...image] = word.split(" ");
  return { language, image: image.join(" ") };
}

export function packageOptions(runners: Runners): Option[] {
  const usual = runners.default_environments;
  const there = runners.environments.map(({ name }) => name);
  const byDefault = usual.filter((name) => there.includes(name));
  return [
    { value: "", text: byDefault.length === 0 ? "Default (none)" : `Default (${byDefault.join(", ")})` },
    ...there.map((name) => ({ value: name, text: name })),
    { value: "none", text: "None" },
  ];
}
