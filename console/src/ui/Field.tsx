import type { ComponentChildren } from "preact";

export function Field({
  name,
  hint,
  children,
}: {
  name: string;
  hint?: string;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field" title={hint}>
      <span class="field-name">{name}</span>
      {children}
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
