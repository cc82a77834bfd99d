import { useState } from 'preact/hooks';
import type {
  DestinationAnswer,
  SecretRotation,
} from '../../../api/destinations/destination-answer.ts';
import { weaknessOf } from '../../../core/text/weak-secret.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import type { DestinationParams } from './load-destination.ts';
import { SaveFault } from './save-fault.tsx';
import { SecretField } from './secret-field.tsx';

interface RotateSecretProps {
  params: DestinationParams;
  destination: DestinationAnswer;
  /** The new secret is set, and in the answer. */
  onRotated(rotation: SecretRotation): void;
  onClose(): void;
}

/** Sets a new secret; the present one signs too for a while. */
export function RotateSecret({ params, destination, onRotated, onClose }: RotateSecretProps) {
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const [secret, setSecret] = useState('');
  const isSigned = destination.secret !== undefined;
  const action = isSigned ? 'Rotate' : 'Add';
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const overlap = String(form.get('overlap') ?? '').trim();
    await once(async () => {
      try {
        const made = await session.call(
          'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret',
          { params, body: { secret: secret || undefined, overlap: overlap || undefined } },
        );
        // One that was generated here is shown as the server's own is.
        onRotated({ ...(secret !== '' && { secret }), ...made });
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title={isSigned ? 'Rotate the secret' : 'Add a secret'} onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <p class="mono wrap">
          <Foreign text={destination.url} />
        </p>
        <SecretField
          label="New secret"
          value={secret}
          error={error}
          placeholder="empty: the server makes one"
          onChange={setSecret}
        />
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
        <SaveFault
          error={error}
          what={isSigned ? 'Couldn’t rotate the secret' : 'Couldn’t add the secret'}
          fields={['secret', 'overlap']}
        />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          {/* Its words are the confirmation of a weak secret. */}
          <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
            {weaknessOf(secret) === null ? action : `${action} the weak secret`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
