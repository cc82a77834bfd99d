import { useState } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { SelectField } from '../../parts/form/text-field.tsx';
import { plainSettingsIn } from './destination-fields.ts';
import type { DestinationForm } from './destination-form.ts';
import { PlainField } from './plain-field.tsx';

const GROWING = ['attempts', 'base', 'factor', 'max'] as const;
const RETRIES = [
  ['server', 'as the server does by default'],
  ['growing', 'after a delay that grows'],
  ['schedule', 'by a schedule'],
] as const;

interface FlowFieldsProps {
  initial: DestinationForm;
  error: ApiError | null;
}

/** The settings for the timing, the concurrency and the retries of attempts. */
export function FlowFields(form: FlowFieldsProps) {
  const [kind, setKind] = useState(form.initial.retry);
  return (
    <>
      <PlainField name="timeout" {...form} />
      <SelectField
        label="Retries"
        name="retry"
        own
        error={form.error}
        of={RETRIES}
        initial={kind}
        onText={setKind}
      />
      {kind === 'growing' && (
        <div class="columns">
          {GROWING.map((name) => (
            <PlainField key={name} name={name} {...form} />
          ))}
        </div>
      )}
      {kind === 'schedule' && <PlainField name="schedule" {...form} />}
      {kind !== 'server' && <PlainField name="give_up_on" {...form} />}
      <div class="columns">
        <PlainField name="rate_limit" {...form} />
        <PlainField name="rate_per" {...form} />
      </div>
      {plainSettingsIn('flow', ['timeout']).map((name) => (
        <PlainField key={name} name={name} {...form} />
      ))}
    </>
  );
}
