import { CopyButton } from "./CopyButton";
import { Scroll } from "./Scroll";

/** A text to take away. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div class="snippet">
      <Scroll class="snippet-text" name={name}>
        <pre>{text}</pre>
      </Scroll>
      <CopyButton text={text} />
    </div>
  );
}
