import { useState } from 'preact/hooks';
import type { Destination, SecretRotation } from '../../../api/answers/destination.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';

interface RotateSecretProps {
  path: string;
  destination: Destination;
  /** The new secret is set. `secret` is the one that the server made. */
  onRotated(rotation: SecretRotation): void;
  onClose(): void;
}

/** Sets a new secret; the present one signs too for a while. */
export function RotateSecret({ path, destination, onRotated, onClose }: RotateSecretProps) {
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const isSigned = destination.secret !== undefined;
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const secret = String(form.get('secret'));
    const overlap = String(form.get('overlap') ?? '').trim();
    const body = { ...(secret !== '' && { secret }), ...(overlap !== '' && { overlap }) };
    await once(async () => {
      try {
        onRotated(await session.call<SecretRotation>('POST', `${path}/rotate-secret`, { body }));
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title={isSigned ? 'Rotate the secret' : 'Add a secret'} onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <p class="mono wrap">{destination.url}</p>
        <Field label="New secret" name="secret" error={error}>
          {(control) => (
            <input
              {...control}
              maxLength={256}
              autocomplete="off"
              placeholder="empty: the server makes one"
            />
          )}
        </Field>
        {isSigned && (
          <Field
            label="The old one signs too for"
            name="overlap"
            error={error}
            note="Until then receivers may verify with either. From 0s to 30d."
          >
            {(control) => <input {...control} defaultValue="24h" autocomplete="off" />}
          </Field>
        )}
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            {isSigned ? 'Rotate' : 'Add'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
