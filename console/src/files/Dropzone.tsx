import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { explain } from "../api/errors";
import { useDesk } from "../shell/context";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Meter, Problem } from "../ui/parts";
import { upload } from "./transfer";

interface Sending {
  file: File;
  share: number;
  /** Which of how many. */
  place: string;
}

interface DropzoneProps {
  thread: string;
  onDone: () => void;
  /** What lies above it; files may be dropped there, too. */
  children?: ComponentChildren;
}

/** Takes files that are dropped or chosen, one after the other, and shows how far each is. */
export function Dropzone({ thread, onDone, children }: DropzoneProps) {
  const { server } = useDesk();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<Sending>();
  const [problem, setProblem] = useState<string>();

  const take = async (files: File[]) => {
    setProblem(undefined);
    for (const [at, file] of files.entries()) {
      const place = files.length === 1 ? "" : ` (${at + 1} of ${files.length})`;
      const progress = (share: number) => setSending({ file, share, place });
      progress(0);
      try {
        await upload(server, thread, file.name, file, progress);
      } catch (error) {
        setProblem(`${file.name}: ${explain(error)}`);
        break;
      }
    }
    setSending(undefined);
    onDone();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...(event.dataTransfer?.files ?? [])]);
  };
  const leave = (event: DragEvent & { currentTarget: HTMLElement }) =>
    event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same for the keyboard.
    <div
      class="droparea"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
      <section class="dropzone" aria-label="Upload">
        <input
          ref={input}
          type="file"
          multiple
          class="hidden"
          aria-label="Files to upload"
          tabIndex={-1}
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        {sending === undefined ? (
          <>
            <span class="faint small">Drop files here, or</span>
            <Button icon="up" onClick={() => input.current?.click()}>
              Upload
            </Button>
          </>
        ) : (
          <Meter
            name={`Uploading ${sending.file.name}${sending.place}`}
            used={sending.share}
            max={1}
            text={percent(sending)}
            calm
          />
        )}
        <Problem text={problem} />
      </section>
    </div>
  );
}

function percent({ share, file }: Sending): string {
  return `${Math.round(share * 100)} % of ${bytes(file.size)}`;
}
