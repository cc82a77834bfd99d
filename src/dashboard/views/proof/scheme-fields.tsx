import type { ApiError } from '../../model/api-error.ts';
import { SelectField, TextField } from '../../parts/form/text-field.tsx';
import type { SchemeForm } from './source-form.ts';

const ALGORITHMS = [
  ['hmac-sha256', 'HMAC with SHA-256'],
  ['hmac-sha512', 'HMAC with SHA-512'],
  ['hmac-sha1', 'HMAC with SHA-1'],
  ['ed25519', 'Ed25519: the secret is the public key, hexadecimal'],
] as const;

const SCHEME_FIELDS = [
  ['signature', 'Header with the signature', 'header.NAME'],
  ['form', 'Its form', 'Text with {hex}, {base64} or {base64url} at its end: sha256={hex}'],
  [
    'signed',
    'What is signed',
    'Text with {body}, {header.NAME}, {method} and {url}: {header.x-timestamp}.{body}',
  ],
  [
    'timestamp',
    'Header with the time of signing',
    'header.NAME, which must be signed too. Empty: none.',
  ],
  ['tolerance', 'Largest difference of that time', 'From 1s to 24h.'],
] as const;

interface SchemeFieldsProps {
  scheme: SchemeForm;
  error: ApiError | null;
  onChange(to: Partial<SchemeForm>): void;
}

/** The fields of a custom signature, for a sender outside the list. */
export function SchemeFields({ scheme, error, onChange }: SchemeFieldsProps) {
  return (
    <fieldset class="group">
      <legend>Signature</legend>
      <SelectField
        label="Algorithm"
        name="algorithm"
        path="source.scheme.algorithm"
        error={error}
        of={ALGORITHMS}
        initial={scheme.algorithm}
        onText={(algorithm) => onChange({ algorithm })}
      />
      {SCHEME_FIELDS.map(([name, label, note]) => (
        <TextField
          key={name}
          label={label}
          name={`scheme-${name}`}
          path={`source.scheme.${name}`}
          error={error}
          note={note}
          class="mono"
          value={scheme[name]}
          onText={(text) => onChange({ [name]: text })}
        />
      ))}
    </fieldset>
  );
}
