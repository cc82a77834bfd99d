import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { SignAsField } from '../proof/sign-as-field.tsx';
import type { DestinationForm } from './destination-form.ts';
import { SecretField } from './secret-field.tsx';

interface SigningFieldsProps {
  endpoint: EndpointAnswer;
  destination: DestinationAnswer;
  initial: DestinationForm;
  error: ApiError | null;
  secret: string;
  isUnsigned: boolean;
  onSecret(secret: string): void;
  onUnsigned(isUnsigned: boolean): void;
}

/** The settings for the signing secret and for the provider's signature. */
export function SigningFields(props: SigningFieldsProps) {
  const { endpoint, destination, initial, error, secret, isUnsigned } = props;
  return (
    <>
      <SecretField
        label="New signing secret"
        value={secret}
        error={error}
        disabled={isUnsigned}
        placeholder={destination.secret ? `${destination.secret} stays` : 'none'}
        note="Replaces the secret at once. After a rotation, the old one signs too for a while."
        onChange={props.onSecret}
      />
      {destination.secret !== undefined && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isUnsigned}
            // This runs before the form's `onInput`, which reads the value.
            onInput={(event) => props.onUnsigned(event.currentTarget.checked)}
          />
          Remove the secret
        </label>
      )}
      <SignAsField source={endpoint.source} initial={initial.sign_as} error={error} />
    </>
  );
}
