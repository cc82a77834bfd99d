import { weaknessOf } from '../../../core/text/weak-secret.ts';
import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { PLAIN } from '../../parts/form/text-field.tsx';
import { base64 } from '../../text/binary.ts';

const SECRET_BYTES = 24;

interface SecretFieldProps {
  label: string;
  value: string;
  error: ApiError | null;
  placeholder?: string;
  note?: string;
  disabled?: boolean;
  onChange(secret: string): void;
}

/** A field for a signing secret, typed or generated. It warns about a weak secret at once. */
export function SecretField(props: SecretFieldProps) {
  const { label, value, error, placeholder, note, disabled = false, onChange } = props;
  const weakness = disabled ? null : weaknessOf(value);
  return (
    <Field label={label} name="secret" error={error} note={note}>
      {(control) => (
        <>
          <span class="secret-line">
            <input
              {...control}
              class="mono"
              {...PLAIN}
              disabled={disabled}
              placeholder={placeholder}
              value={value}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
            <button type="button" disabled={disabled} onClick={() => onChange(strongSecret())}>
              Generate
            </button>
          </span>
          <span role="status">
            {weakness !== null && (
              <p class="weak">
                This secret {weakness}.{' '}
                <button type="button" class="link" onClick={() => onChange(strongSecret())}>
                  Generate a strong one
                </button>
              </p>
            )}
          </span>
        </>
      )}
    </Field>
  );
}

const strongSecret = (): string =>
  `whsec_${base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
