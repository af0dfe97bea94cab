import { useRef, useState } from "preact/hooks";
import { explain } from "../api/errors";
import { useDesk } from "../shell/context";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Meter, Problem } from "../ui/parts";
import { upload } from "./transfer";

interface Sending {
  name: string;
  size: number;
  share: number;
}

/** Takes files that are dropped or chosen, one after the other, and shows how far each is. */
export function Dropzone({ thread, onDone }: { thread: string; onDone: () => void }) {
  const { server } = useDesk();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<Sending>();
  const [problem, setProblem] = useState<string>();

  const take = async (files: File[]) => {
    setProblem(undefined);
    for (const file of files) {
      const progress = (share: number) => setSending({ name: file.name, size: file.size, share });
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

  return (
    <section
      class="dropzone"
      aria-label="Upload"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
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
        <Meter name={`Sending ${sending.name}`} used={sending.share} max={1} text={percent(sending)} calm />
      )}
      <Problem text={problem} />
    </section>
  );
}

function percent({ share, size }: Sending): string {
  return `${Math.round(share * 100)} % of ${bytes(size)}`;
}
