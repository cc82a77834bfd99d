import type { Destination } from '../../../api/answers/destination.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import type { DestinationForm } from '../../text/destination-form.ts';

const PATHS = [
  ['append', 'add the event’s path and query'],
  ['ignore', 'leave the address as it is'],
] as const;

const STATES = [
  ['active', 'active'],
  ['paused', 'paused: deliveries wait'],
  ['disabled', 'disabled: new events make no deliveries'],
] as const;

interface AddressFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
  /** Another destination that has the typed URL; null for none. */
  twin: Destination | null;
}

/** Where deliveries go, and whether they do. */
export function AddressFields({ initial, error, twin }: AddressFieldsProps) {
  return (
    <>
      <Field label="Name" name="name" error={error}>
        {(control) => (
          <input
            {...control}
            maxLength={200}
            placeholder="none: its URL is its name"
            defaultValue={initial.name}
          />
        )}
      </Field>
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
        <Field label="Path" name="path" error={error}>
          {(control) => (
            <select {...control}>
              <Options of={PATHS} initial={initial.path} />
            </select>
          )}
        </Field>
        <Field label="State" name="state" error={error}>
          {(control) => (
            <select {...control}>
              <Options of={STATES} initial={initial.state} />
            </select>
          )}
        </Field>
      </div>
    </>
  );
}
