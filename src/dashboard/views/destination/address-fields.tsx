import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Field } from '../../parts/form/field.tsx';
import { plainSettingsIn } from './destination-fields.ts';
import type { DestinationForm } from './destination-form.ts';
import { PlainField } from './plain-field.tsx';

interface AddressFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
  /** Another destination that has the typed URL; null for none. */
  twin: DestinationAnswer | null;
}

/** Where deliveries go, and whether they do. */
export function AddressFields({ initial, error, twin }: AddressFieldsProps) {
  return (
    <>
      <PlainField name="name" initial={initial} error={error} />
      <Field label="URL" name="url" error={error}>
        {(control) => (
          <>
            <input {...control} type="url" required defaultValue={initial.url} />
            <span role="status">
              {twin && (
                <p class="weak">
                  <Foreign text={twin.name ?? 'Another destination'} /> has this URL too, so it
                  would get each event twice.
                </p>
              )}
            </span>
          </>
        )}
      </Field>
      <div class="columns">
        {plainSettingsIn('address', ['name']).map((name) => (
          <PlainField key={name} name={name} initial={initial} error={error} />
        ))}
      </div>
    </>
  );
}
