import { useEffect, useState } from "preact/hooks";
import { useLoading } from "../lib/loading";
import { useDesk } from "../shell/context";
import { readCsv, tableOf } from "../text/csv";
import { bytes } from "../text/format";
import { DataTable } from "../ui/DataTable";
import { Problem } from "../ui/parts";
import { Scroll } from "../ui/Scroll";
import { imageType, kindOf } from "./media";
import { readHead } from "./transfer";

const TEXT_BYTES_MAX = 256 << 10;
const IMAGE_BYTES_MAX = 16 << 20;

interface PreviewProps {
  thread: string;
  path: string;
  size: number;
  mediaType?: string | undefined;
}

/** A look into a file. Whatever it holds is shown as text, cells or a picture, and never as a page. */
export function Preview({ thread, path, size, mediaType }: PreviewProps) {
  const { server } = useDesk();
  const kind = kindOf(path, mediaType);
  const max = kind === "image" ? IMAGE_BYTES_MAX : TEXT_BYTES_MAX;
  const head = useLoading(
    async () => (kind === "binary" ? undefined : await readHead(server, thread, path, max)),
    [server, thread, path, size, kind],
  );
  if (head.problem !== undefined) {
    return <Problem text={head.problem} />;
  }
  if (kind === "binary") {
    return <p class="faint">{bytes(size)} that are neither text nor a picture. Download it to see more.</p>;
  }
  if (head.value === undefined) {
    return <p class="faint">Loading…</p>;
  }
  const { blob, whole } = head.value;
  return kind === "image" ? (
    whole ? (
      <Picture path={path} blob={blob} />
    ) : (
      <p class="faint">The picture is too large to show here.</p>
    )
  ) : (
    <Words path={path} blob={blob} whole={whole} kind={kind} />
  );
}

/** An image element runs no script, also not that of an SVG. */
function Picture({ path, blob }: { path: string; blob: Blob }) {
  const [source, setSource] = useState("");
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([blob], { type: imageType(path) }));
    setSource(url);
    setBroken(false);
    return () => URL.revokeObjectURL(url);
  }, [blob, path]);
  if (broken) {
    return <p class="faint">This is not a picture, although its name suggests one.</p>;
  }
  return source === "" ? null : (
    <img class="picture" src={source} alt={path} onError={() => setBroken(true)} />
  );
}

function Words({
  path,
  blob,
  whole,
  kind,
}: {
  path: string;
  blob: Blob;
  whole: boolean;
  kind: "csv" | "json" | "text";
}) {
  const { value: text } = useLoading(() => blob.text(), [blob]);
  if (text === undefined) {
    return null;
  }
  if (kind === "csv") {
    return <DataTable name={path} table={readCsv(text, whole)} />;
  }
  const value = kind === "json" && whole ? json(text) : undefined;
  const table = tableOf(value);
  if (table !== undefined) {
    return <DataTable name={path} table={table} />;
  }
  return (
    <>
      <Scroll class="text-preview" name={`Text of ${path}`}>
        <pre>{value === undefined ? text : JSON.stringify(value, null, 2)}</pre>
      </Scroll>
      {!whole && <p class="faint">The first {bytes(TEXT_BYTES_MAX)}; download the file for the rest.</p>}
    </>
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
