interface TabsProps<T extends string> {
  name: string;
  value: T;
  tabs: { value: T; text: string }[];
  onChoose: (value: T) => void;
  /** The id of what is shown for the chosen tab. */
  panel: string;
}

/** One of several views; arrow keys move between them. */
export function Tabs<T extends string>({ name, value, tabs, onChoose, panel }: TabsProps<T>) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) {
      return;
    }
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next !== undefined) {
      onChoose(next.value);
      const list = event.currentTarget as HTMLElement;
      requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    }
  };
  return (
    <div class="tabs" role="tablist" aria-label={name} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          class="tab"
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChoose(tab.value)}
        >
          {tab.text}
        </button>
      ))}
    </div>
  );
}
