import { useState } from "preact/hooks";
import type { StoredFile } from "../api/types";
import { useLoading } from "../lib/loading";
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
  const [pages, setPages] = useState<StoredFile[]>([]);
  const [cursor, setCursor] = useState<string>();
  const first = useLoading(async () => {
    const answer = await server.files(thread, path);
    setPages([]);
    setCursor(answer.next_cursor);
    return answer.files;
  }, [server, thread, path, version]);
  const more = async () => {
    const answer = await server.files(thread, path, cursor);
    setPages([...pages, ...answer.files]);
    setCursor(answer.next_cursor);
  };
  const files = [...(first.value ?? []), ...pages].sort(
    (a, b) => Number(b.is_directory) - Number(a.is_directory) || a.name.localeCompare(b.name),
  );
  if (first.problem !== undefined) {
    return <Problem text={first.problem} />;
  }
  return (
    <ul class="tree" aria-label={path === "" ? "Files" : `Files in ${path}`}>
      {first.value?.length === 0 && <li class="faint small tree-none">empty</li>}
      {files.map((file) => (
        <Entry key={file.path} {...props} file={file} />
      ))}
      {cursor !== undefined && (
        <li>
          <Button kind="quiet" onClick={() => void more()}>
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
