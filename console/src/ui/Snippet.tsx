import { CopyButton } from "./CopyButton";

/** A text to take away. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div class="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="snippet-text" tabIndex={0} aria-label={name}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}
