import type { ApiError } from '../../model/api-error.ts';
import { SelectField, TextField } from '../../parts/form/text-field.tsx';
import { FIELDS, type PlainSetting, type SettingPart } from './destination-fields.ts';
import type { DestinationForm } from './destination-form.ts';

interface PlainFieldProps {
  name: PlainSetting | SettingPart;
  initial: DestinationForm;
  error: ApiError | null;
}

/** The field of a setting that is a text or a choice. */
export function PlainField({ name, initial, error }: PlainFieldProps) {
  const { options, path = name, ...text } = FIELDS[name];
  const shared = { ...text, name, path, error };
  return options ? (
    <SelectField {...shared} of={options} initial={initial[name]} />
  ) : (
    <TextField {...shared} defaultValue={initial[name]} />
  );
}
