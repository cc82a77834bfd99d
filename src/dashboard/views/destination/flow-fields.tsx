import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import type { DestinationForm } from '../../text/destination-form.ts';
import { RetryFields } from './retry-fields.tsx';

const PERIODS = [
  ['second', 'second'],
  ['minute', 'minute'],
  ['hour', 'hour'],
] as const;

const BREAKER = [
  ['on', 'on'],
  ['off', 'off'],
] as const;

interface FlowFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
}

/** When attempts start, how many, and what follows a failed one. */
export function FlowFields({ initial, error }: FlowFieldsProps) {
  return (
    <>
      <Field label="Timeout" name="timeout" error={error} note="From 1s to 60s.">
        {(control) => (
          <input
            {...control}
            defaultValue={initial.timeout}
            placeholder="the server’s"
            autocomplete="off"
          />
        )}
      </Field>
      <RetryFields initial={initial} error={error} />
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
      <Field
        label="Most at once"
        name="concurrency"
        error={error}
        note="From 1 to 256. auto finds what the receiver can take."
      >
        {(control) => (
          <input
            {...control}
            defaultValue={initial.concurrency}
            placeholder="auto"
            autocomplete="off"
          />
        )}
      </Field>
      <Field
        label="Order by"
        name="order_by"
        error={error}
        note="Deliveries with the same value go one at a time, in the order of capture. * orders all of them. A change affects new events."
      >
        {(control) => (
          <input
            {...control}
            defaultValue={initial.order_by}
            placeholder="no order, or body.customer.id"
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
          />
        )}
      </Field>
      <Field
        label="Breaker"
        name="breaker"
        error={error}
        note="Holds deliveries back after many failures, until a probe succeeds."
      >
        {(control) => (
          <select {...control}>
            <Options of={BREAKER} initial={initial.breaker} />
          </select>
        )}
      </Field>
      <Field
        label="Hold"
        name="hold"
        error={error}
        note="A delivery that the breaker holds back for longer dies."
      >
        {(control) => (
          <input
            {...control}
            defaultValue={initial.hold}
            placeholder="for ever"
            autocomplete="off"
          />
        )}
      </Field>
    </>
  );
}
