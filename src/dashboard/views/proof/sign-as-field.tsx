import type { SourceAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { SelectField } from '../../parts/form/text-field.tsx';
import { titleOf } from '../../text/verification-text.ts';
import { useProviders } from './use-providers.ts';

interface SignAsFieldProps {
  source: SourceAnswer | null;
  initial: string;
  error: ApiError | null;
}

/** A choice that appears if the source's provider signs, or if the setting is already set. */
export function SignAsField({ source, initial, error }: SignAsFieldProps) {
  const { value: catalogue } = useProviders();
  const provider = catalogue?.find(({ name }) => name === source?.provider);
  const signs = provider?.signs === true;
  if (!catalogue || (!signs && initial === '')) return null;
  const title = source === null ? 'the sender' : titleOf(source.provider, catalogue);
  const ways = [
    ['', 'Pass its signature on as it came'],
    ['provider', `Sign as ${title} would, at each attempt`],
  ] as const;
  return (
    <SelectField
      label={`Signature of ${title}`}
      name="sign_as"
      error={error}
      note={
        signs
          ? `${provider?.signs_note ?? 'Receivers that check the time of signing accept retries and replays too.'} Only verified events are delivered then.`
          : 'The endpoint’s source can’t sign, so attempts fail.'
      }
      of={ways}
      initial={initial}
    />
  );
}
