import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import { PLAIN_FIELDS, type PlainSetting } from './destination-fields.ts';
import type { DestinationForm } from './destination-form.ts';

interface PlainFieldProps {
  name: PlainSetting;
  initial: DestinationForm;
  error: ApiError | null;
}

/** A setting that is one text or one choice. */
export function PlainField({ name, initial, error }: PlainFieldProps) {
  const { label, note, options, placeholder } = PLAIN_FIELDS[name];
  return (
    <Field label={label} name={name} error={error} note={note}>
      {(control) =>
        options ? (
          <select {...control}>
            <Options of={options} initial={initial[name]} />
          </select>
        ) : (
          <input
            {...control}
            defaultValue={initial[name]}
            placeholder={placeholder}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
          />
        )
      }
    </Field>
  );
}
