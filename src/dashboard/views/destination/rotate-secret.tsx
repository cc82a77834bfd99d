import { useState } from 'preact/hooks';
import type {
  DestinationAnswer,
  SecretRotation,
} from '../../../api/destinations/destination-answer.ts';
import { weaknessOf } from '../../../core/text/weak-secret.ts';
import { session } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { TextField } from '../../parts/form/text-field.tsx';
import type { DestinationParams } from './load-destination.ts';
import { SaveFault } from './save-fault.tsx';
import { SecretField } from './secret-field.tsx';

interface RotateSecretProps {
  params: DestinationParams;
  destination: DestinationAnswer;
  onRotated(rotation: SecretRotation): void;
  onClose(): void;
}

/** Sets a new secret. The old secret also signs for a while. */
export function RotateSecret({ params, destination, onRotated, onClose }: RotateSecretProps) {
  const [secret, setSecret] = useState('');
  const isSigned = destination.secret !== undefined;
  const action = isSigned ? 'Rotate' : 'Add';
  const rotate = async (form: FormData) => {
    const overlap = String(form.get('overlap') ?? '').trim();
    const made = await session.call(
      'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret',
      { params, body: { secret: secret || undefined, overlap: overlap || undefined } },
    );
    // Show a generated secret once, like a secret that the server makes.
    onRotated({ ...(secret !== '' && { secret }), ...made });
  };
  return (
    <FormDialog
      title={isSigned ? 'Rotate the secret' : 'Add a secret'}
      // The button's label confirms a weak secret.
      action={weaknessOf(secret) === null ? action : `${action} the weak secret`}
      problem={(error) => (
        <SaveFault
          error={error}
          what={isSigned ? 'Couldn’t rotate the secret' : 'Couldn’t add the secret'}
          fields={['secret', 'overlap']}
        />
      )}
      onSubmit={rotate}
      onClose={onClose}
    >
      {(error) => (
        <>
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
            <TextField
              label="The old one signs too for"
              name="overlap"
              error={error}
              note="Until then receivers may verify with either. From 0s to 30d."
              defaultValue="24h"
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
