import { useEffect, useState } from "preact/hooks";
import { may, useDesk } from "../shell/context";
import { label, languageName } from "../text/words";
import { Button } from "../ui/Button";
import { Choice, Field } from "../ui/Field";

export type Filter = { status: string; language: string; thread_id: string; q: string; all: boolean };

export const NO_FILTER: Filter = { status: "", language: "", thread_id: "", q: "", all: false };

const STATUSES = ["running", "success", "failed", "timeout", "oom", "cancelled", "blocked"];
const PAUSE_MILLISECONDS = 250;

interface FiltersProps {
  filter: Filter;
  onChange: (filter: Filter) => void;
  onReload: () => void;
}

export function Filters({ filter, onChange, onReload }: FiltersProps) {
  const { runners, who } = useDesk();
  const [words, setWords] = useState({ q: filter.q, thread_id: filter.thread_id });

  useEffect(() => {
    if (words.q === filter.q && words.thread_id === filter.thread_id) return;
    const timer = setTimeout(() => onChange({ ...filter, ...words }), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [words, filter, onChange]);

  return (
    <search class="filters">
      <div class="row">
        <Field name="Search code">
          <input
            type="search"
            value={words.q}
            spellcheck={false}
            onInput={(event) => setWords({ ...words, q: event.currentTarget.value })}
          />
        </Field>
        <Button kind="quiet" icon="refresh" label="Refresh history" onClick={onReload} />
      </div>
      <div class="row">
        <Choice
          name="Status"
          value={filter.status}
          options={[
            { value: "", text: "Any" },
            ...STATUSES.map((value) => ({ value, text: label(value).word })),
          ]}
          onChoose={(status) => onChange({ ...filter, status })}
        />
        <Choice
          name="Language"
          value={filter.language}
          options={[
            { value: "", text: "Any" },
            ...runners.languages.map(({ language }) => ({ value: language, text: languageName(language) })),
          ]}
          onChoose={(language) => onChange({ ...filter, language })}
        />
        <Field name="Thread">
          <input
            value={words.thread_id}
            spellcheck={false}
            placeholder="any"
            onInput={(event) => setWords({ ...words, thread_id: event.currentTarget.value })}
          />
        </Field>
      </div>
      {may(who, "admin") && (
        <label class="check">
          <input
            type="checkbox"
            checked={filter.all}
            onChange={(event) => onChange({ ...filter, all: event.currentTarget.checked })}
          />
          <span>All keys</span>
        </label>
      )}
    </search>
  );
}
