import type { ApiError } from '../../model/api-error.ts';
import { plainSettingsIn } from './destination-fields.ts';
import type { DestinationForm } from './destination-form.ts';
import { PlainField } from './plain-field.tsx';
import { RateFields } from './rate-fields.tsx';
import { RetryFields } from './retry-fields.tsx';

interface FlowFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
}

/** When attempts start, how many, and what follows a failed one. */
export function FlowFields({ initial, error }: FlowFieldsProps) {
  return (
    <>
      <PlainField name="timeout" initial={initial} error={error} />
      <RetryFields initial={initial} error={error} />
      <RateFields initial={initial} error={error} />
      {plainSettingsIn('flow', ['timeout']).map((name) => (
        <PlainField key={name} name={name} initial={initial} error={error} />
      ))}
    </>
  );
}
