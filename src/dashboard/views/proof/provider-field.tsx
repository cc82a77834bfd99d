import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { PLAIN } from '../../parts/form/text-field.tsx';

interface ProviderFieldProps {
  catalogue: readonly ProviderAnswer[];
  /** The provider that the text names; null if there is none. */
  provider: ProviderAnswer | null;
  typed: string;
  error: ApiError | null;
  onChange(typed: string): void;
}

/** A field for the sender, with a list of providers that typing narrows. */
export function ProviderField(props: ProviderFieldProps) {
  const { catalogue, provider, typed, error, onChange } = props;
  return (
    <Field
      label="Sender"
      name="provider"
      path="source.provider"
      error={error}
      note={noteOf(provider) || undefined}
    >
      {(control) => (
        <>
          <input
            {...control}
            type="search"
            list="providers"
            {...PLAIN}
            placeholder="Stripe, GitHub, Slack …"
            value={typed}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <datalist id="providers">
            {catalogue
              .filter(({ verifies }) => verifies)
              .map(({ name, title }) => (
                <option key={name} value={title} />
              ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function noteOf(provider: ProviderAnswer | null): string {
  if (provider === null) {
    return 'Type a part of its name. At the end of the list: a token, HTTP Basic, and a signature of your own.';
  }
  if (!provider.verifies) return `Requests of ${provider.title} can’t be verified yet.`;
  return provider.hint ?? '';
}
