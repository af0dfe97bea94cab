import type { ComponentChildren } from "preact";

/** A region that scrolls; it can be reached by the keyboard, so that everybody can scroll it. */
export function Scroll({
  name,
  class: look,
  children,
}: {
  name: string;
  class: string;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class={look} tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}
