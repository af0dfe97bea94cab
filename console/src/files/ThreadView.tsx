import { useState } from "preact/hooks";
import { explain } from "../api/errors";
import type { StoredFile, ThreadInfo } from "../api/types";
import { saveBlob } from "../lib/whole";
import { useDesk } from "../shell/context";
import { go } from "../shell/route";
import { bytes, plural } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { Meter, Problem } from "../ui/parts";
import { Dropzone } from "./Dropzone";
import { FileTree } from "./FileTree";
import { Preview } from "./Preview";
import { save } from "./transfer";

/** The files of one thread: look, take, bring and remove. */
export function ThreadView({ thread, onChange }: { thread: ThreadInfo; onChange: () => void }) {
  const { server } = useDesk();
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<StoredFile>();
  const [doomed, setDoomed] = useState<StoredFile | "thread">();
  const [problem, setProblem] = useState<string>();

  const changed = () => {
    setVersion((before) => before + 1);
    onChange();
  };
  const attempt = (act: () => Promise<unknown>) => {
    setProblem(undefined);
    void act().catch((error: unknown) => setProblem(explain(error)));
  };
  const remove = async (target: StoredFile | "thread") => {
    if (target === "thread") {
      await server.deleteThread(thread.id);
      go("files");
    } else {
      await server.deleteFile(thread.id, target.path, target.is_directory);
      if (open?.path === target.path) setOpen(undefined);
    }
    changed();
  };
  const archive = async () => saveBlob(`${thread.id}.zip`, await (await server.archive(thread.id)).blob());

  return (
    <section class="files" aria-label={`Files of ${thread.id}`}>
      <header class="files-head">
        <h2>{thread.id}</h2>
        <div class="quota">
          <Meter
            name="Space"
            used={thread.bytes_used}
            max={thread.bytes_max}
            text={of(thread.bytes_used, thread.bytes_max)}
          />
        </div>
        <Button icon="refresh" kind="quiet" label="Refresh files" onClick={changed} />
        <Button icon="archive" onClick={() => attempt(archive)}>
          Download archive
        </Button>
        <Button icon="trash" kind="danger" onClick={() => setDoomed("thread")}>
          Delete thread
        </Button>
      </header>
      <Problem text={problem} />
      <div class="files-body">
        <Dropzone thread={thread.id} onDone={changed}>
          <FileTree
            thread={thread.id}
            version={version}
            open={open?.path}
            onOpen={setOpen}
            onDelete={setDoomed}
          />
        </Dropzone>
        <div class="files-preview">
          {open === undefined ? (
            <p class="faint">Choose a file to look into it.</p>
          ) : (
            <>
              <header class="row">
                <h3>{open.path}</h3>
                <span class="faint small">{bytes(open.size)}</span>
                <Button icon="down" onClick={() => attempt(() => save(server, thread.id, open.path))}>
                  Download
                </Button>
              </header>
              <Preview
                key={`${open.path}${version}`}
                thread={thread.id}
                path={open.path}
                size={open.size}
                mediaType={open.media_type}
              />
            </>
          )}
        </div>
      </div>
      {doomed !== undefined && (
        <Confirm
          title={doomed === "thread" ? `Delete thread ${thread.id}?` : `Delete ${doomed.name}?`}
          text={
            doomed === "thread"
              ? `${plural(thread.files_used, "file")} will be deleted permanently.`
              : doomed.is_directory
                ? "The directory and everything in it will be deleted permanently."
                : "The file will be deleted permanently."
          }
          act="Delete"
          onYes={() => attempt(() => remove(doomed))}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </section>
  );
}

function of(used: number, max: number | undefined): string {
  return max === undefined ? bytes(used) : `${bytes(used)} of ${bytes(max)}`;
}
