import { useState } from "preact/hooks";
import type { StoredFile } from "../api/types";
import { usePages } from "../lib/pages";
import { useDesk } from "../shell/context";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Problem } from "../ui/parts";

interface TreeProps {
  thread: string;
  path?: string;
  version: number;
  open: string | undefined;
  onOpen: (file: StoredFile) => void;
  onDelete: (file: StoredFile) => void;
}

/** One directory; those below it are read when they are opened. */
export function FileTree(props: TreeProps) {
  const { server } = useDesk();
  const { thread, path = "", version } = props;
  const { items, problem, more } = usePages(
    async (cursor) => {
      const answer = await server.files(thread, path, cursor);
      return { items: answer.files, next: answer.next_cursor };
    },
    [server, thread, path, version],
  );
  const files = [...(items ?? [])].sort(
    (a, b) => Number(b.is_directory) - Number(a.is_directory) || a.name.localeCompare(b.name),
  );
  return (
    <ul class="tree" aria-label={path === "" ? "Files" : `Files in ${path}`}>
      {items?.length === 0 && <li class="faint small tree-none">empty</li>}
      {files.map((file) => (
        <Entry key={file.path} {...props} file={file} />
      ))}
      {problem !== undefined && (
        <li>
          <Problem text={problem} />
        </li>
      )}
      {more !== undefined && (
        <li>
          <Button kind="quiet" onClick={more}>
            Show more
          </Button>
        </li>
      )}
    </ul>
  );
}

function Entry({ file, ...props }: TreeProps & { file: StoredFile }) {
  const [expanded, setExpanded] = useState(false);
  const choose = () => (file.is_directory ? setExpanded(!expanded) : props.onOpen(file));
  return (
    <li>
      <div class="tree-row" data-open={props.open === file.path}>
        <button
          type="button"
          class="tree-name"
          onClick={choose}
          aria-expanded={file.is_directory ? expanded : undefined}
          aria-current={props.open === file.path ? "true" : undefined}
          disabled={!file.is_directory && file.kind !== "file"}
        >
          <Icon name={file.is_directory ? "files" : "file"} />
          <span>{file.name}</span>
          <span class="faint small">{file.kind === "file" ? bytes(file.size) : file.kind}</span>
        </button>
        <Button
          kind="quiet"
          icon="trash"
          label={`Delete ${file.name}`}
          onClick={() => props.onDelete(file)}
        />
      </div>
      {expanded && <FileTree {...props} path={file.path} />}
    </li>
  );
}
