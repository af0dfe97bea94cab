import type { ComponentChildren } from "preact";

export function Field({
  name,
  hint,
  problem,
  children,
}: {
  name: string;
  hint?: string;
  /** What is wrong with what was typed. */
  problem?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field" title={hint}>
      <span class="field-name">{name}</span>
      {children}
      {problem !== undefined && (
        <span class="field-problem" aria-live="polite">
          {problem}
        </span>
      )}
    </label>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  options: { value: string; text: string }[];
  onChoose: (value: string) => void;
}

export function Choice({ name, value, options, onChoose }: ChoiceProps) {
  return (
    <Field name={name}>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  );
}
