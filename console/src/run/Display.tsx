import { useEffect, useState } from "preact/hooks";
import { htmlTable } from "../text/htmltable";
import { DataTable } from "../ui/DataTable";
import { Scroll } from "../ui/Scroll";

/** One form of what a program shows; which members are there depends on its kind. */
export interface Form {
  media_type: string;
  text?: string | null;
  data?: string | null;
}

/** Images an image element shows without running anything. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The last expression: a table where it has one, its text otherwise, and pictures. Nothing of it becomes markup. */
export function Display({ forms }: { forms: Form[] | undefined | null }) {
  if (!forms || forms.length === 0) {
    return null;
  }
  const html = forms.find(({ media_type }) => media_type === "text/html")?.text;
  const table = html ? htmlTable(html) : undefined;
  const plain = forms.find(({ media_type }) => media_type === "text/plain")?.text;
  const pictures = forms.filter(({ media_type, data }) => data && PICTURES.has(media_type));
  return (
    <section class="products" aria-label="Last expression">
      {(table !== undefined || plain) && <h2>Last expression</h2>}
      {table !== undefined ? (
        <DataTable name="the last expression" table={table} />
      ) : (
        plain && (
          <Scroll class="text-preview" name="The last expression">
            <pre>{plain}</pre>
          </Scroll>
        )
      )}
      {pictures.map(({ media_type, data }, at) => (
        <Shown key={String(at)} type={media_type} data={data ?? ""} number={at + 1} />
      ))}
    </section>
  );
}

function Shown({ type, data, number }: { type: string; data: string; number: number }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [data, type]);
  return source === "" ? null : <img class="picture" src={source} alt={`Result ${number} of the run`} />;
}
