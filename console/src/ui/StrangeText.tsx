import { pieces } from "../text/hidden";

/** A text somebody else wrote, with every character in it that one would not see made visible. */
export function StrangeText({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, at) =>
        piece.mark === undefined ? (
          piece.text
        ) : (
          <mark class="unseen" key={at} title={piece.hint}>
            {piece.mark}
          </mark>
        ),
      )}
    </>
  );
}
