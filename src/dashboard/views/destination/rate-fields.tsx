import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import type { DestinationForm } from './destination-form.ts';

const PERIODS = [
  ['second', 'second'],
  ['minute', 'minute'],
  ['hour', 'hour'],
] as const;

interface RateFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
}

/** How many attempts start in a period. */
export function RateFields({ initial, error }: RateFieldsProps) {
  return (
    <div class="columns">
      <Field label="Most starts" name="rate_limit" path="rate.limit" error={error}>
        {(control) => (
          <input
            {...control}
            defaultValue={initial.rate_limit}
            placeholder="no limit"
            inputMode="numeric"
            autocomplete="off"
          />
        )}
      </Field>
      <Field label="In each" name="rate_per" path="rate.per" error={error}>
        {(control) => (
          <select {...control}>
            <Options of={PERIODS} initial={initial.rate_per} />
          </select>
        )}
      </Field>
    </div>
  );
}
