import { useState } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import type { DestinationForm } from './destination-form.ts';

const GROWING_FIELDS = [
  ['attempts', 'Most attempts'],
  ['base', 'First delay'],
  ['factor', 'Grows by the factor'],
  ['max', 'Longest delay'],
] as const;

interface RetryFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
}

/** When a failed delivery is tried again. */
export function RetryFields({ initial, error }: RetryFieldsProps) {
  const [kind, setKind] = useState(initial.retry);
  return (
    <>
      <Field label="Retries" name="retry" path="retry" own error={error}>
        {(control) => (
          <select
            {...control}
            value={kind}
            // Before the form looks, which draws it again.
            onInput={(event) => setKind(event.currentTarget.value)}
          >
            <option value="server">as the server does by default</option>
            <option value="growing">after a delay that grows</option>
            <option value="schedule">by a schedule</option>
          </select>
        )}
      </Field>
      {kind === 'growing' && (
        <div class="columns">
          {GROWING_FIELDS.map(([name, label]) => (
            <Field key={name} label={label} name={name} path={`retry.${name}`} error={error}>
              {(control) => <input {...control} defaultValue={initial[name]} autocomplete="off" />}
            </Field>
          ))}
        </div>
      )}
      {kind === 'schedule' && (
        <Field
          label="Delays before the retries"
          name="schedule"
          path="retry.schedule"
          error={error}
          note="One attempt more than there are delays."
        >
          {(control) => (
            <input
              {...control}
              defaultValue={initial.schedule}
              placeholder="5s, 5m, 2h"
              autocomplete="off"
            />
          )}
        </Field>
      )}
      {kind !== 'server' && (
        <Field
          label="Give up on"
          name="give_up_on"
          path="retry.give_up_on"
          error={error}
          note="Statuses at which a delivery dies at once. 4xx leaves out 408 and 429."
        >
          {(control) => (
            <input
              {...control}
              defaultValue={initial.give_up_on}
              placeholder="410"
              autocomplete="off"
            />
          )}
        </Field>
      )}
    </>
  );
}
