import type { ApiError } from '../../model/api-error.ts';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import type { SchemeForm } from './source-form.ts';

interface TextFieldProps {
  value: string;
  error: ApiError | null;
  onChange(value: string): void;
}

const PLAIN = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const;

/** Where a token is. */
export function PlaceField({ value, error, onChange }: TextFieldProps) {
  return (
    <Field
      label="Where the token is"
      name="in"
      path="source.in"
      error={error}
      note="header.NAME or query.NAME. Senders may show a query in logs: prefer a header."
    >
      {(control) => (
        <input
          {...control}
          {...PLAIN}
          class="mono"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The URL that a signature covers. */
export function UrlField(props: TextFieldProps & { captureUrl: string }) {
  const { value, captureUrl, error, onChange } = props;
  return (
    <Field
      label="Registered URL"
      name="source-url"
      path="source.url"
      error={error}
      note="The sender signs the URL that it calls. If it calls a proxy or a tunnel, give the URL as it stands at the sender."
    >
      {(control) => (
        <input
          {...control}
          {...PLAIN}
          type="url"
          class="mono"
          placeholder={captureUrl}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

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

/** A signature of a sender that isn't in the list. */
export function SchemeFields({ scheme, error, onChange }: SchemeFieldsProps) {
  return (
    <fieldset class="group">
      <legend>Signature</legend>
      <Field label="Algorithm" name="algorithm" path="source.scheme.algorithm" error={error}>
        {(control) => (
          <select
            {...control}
            onChange={(event) =>
              onChange({ algorithm: event.currentTarget.value as SchemeForm['algorithm'] })
            }
          >
            <Options of={ALGORITHMS} initial={scheme.algorithm} />
          </select>
        )}
      </Field>
      {SCHEME_FIELDS.map(([name, label, note]) => (
        <Field
          key={name}
          label={label}
          name={`scheme-${name}`}
          path={`source.scheme.${name}`}
          error={error}
          note={note}
        >
          {(control) => (
            <input
              {...control}
              {...PLAIN}
              class="mono"
              value={scheme[name]}
              onInput={(event) => onChange({ [name]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}
