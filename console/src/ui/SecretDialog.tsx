import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Snippet } from "./Snippet";

interface SecretDialogProps {
  /** Of the key. */
  name: string;
  secret: string;
  onClose: () => void;
}

/** Shows the secret of a new key, this once. */
export function SecretDialog({ name, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={`Key ${name}`} onClose={onClose} wide>
      <p>The key is shown once. Copy it now; you cannot see it again.</p>
      <Snippet name="The new key" text={secret} />
      <div class="row end">
        <Button kind="primary" icon="check" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
