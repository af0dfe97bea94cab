import { useState } from "preact/hooks";
import type { FileEntry } from "../api/types";
import { kindOf } from "../files/media";
import { Preview } from "../files/Preview";
import { save } from "../files/transfer";
import { useDesk } from "../shell/context";
import { href } from "../shell/route";
import { bytes, plural } from "../text/format";
import { Button } from "../ui/Button";

/** So many are opened without asking. */
const OPEN_MAX = 4;

/** The files a run made, pictures and tables shown at once. */
export function Products({ files, thread }: { files: FileEntry[]; thread: string | undefined }) {
  if (files.length === 0) {
    return null;
  }
  const ranked = [...files].sort((a, b) => rank(a) - rank(b));
  return (
    <section class="products" aria-label="Files of the run">
      <h2>
        {plural(files.length, "file")} created or changed
        {thread !== undefined && (
          <a class="small" href={href("files", thread)}>
            All files of {thread}
          </a>
        )}
      </h2>
      {ranked.map((file, at) => (
        <Product key={file.path} file={file} thread={thread} open={at < OPEN_MAX && rank(file) < 2} />
      ))}
    </section>
  );
}

function Product({
  file,
  thread,
  open: first,
}: {
  file: FileEntry;
  thread: string | undefined;
  open: boolean;
}) {
  const { server } = useDesk();
  const [open, setOpen] = useState(first);
  return (
    <article class="product">
      <header class="row">
        <Button
          kind="quiet"
          icon="file"
          aria-expanded={open}
          disabled={thread === undefined}
          onClick={() => setOpen(!open)}
        >
          {file.path}
        </Button>
        <span class="faint small">{bytes(file.size)}</span>
        {thread !== undefined && (
          <Button
            kind="quiet"
            icon="down"
            label={`Download ${file.path}`}
            onClick={() => void save(server, thread, file.path)}
          />
        )}
      </header>
      {thread === undefined && (
        <p class="faint small">Deleted after the run. Choose a thread to keep files.</p>
      )}
      {open && thread !== undefined && (
        <Preview thread={thread} path={file.path} size={file.size} mediaType={file.media_type} />
      )}
    </article>
  );
}

function rank(file: FileEntry): number {
  const kind = kindOf(file.path, file.media_type);
  return kind === "image" ? 0 : kind === "csv" || kind === "json" ? 1 : 2;
}
