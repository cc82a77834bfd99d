import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import type { ApiError } from '../../model/api-error.ts';
import { PLAIN } from '../../parts/form/text-field.tsx';
import { faultAt, ownFaultAt } from '../../text/field-faults.ts';
import { secretWarning } from './secret-warning.ts';
import { newSecret, type SecretRow, typedRows } from './source-form.ts';

const PATH = 'source.secrets';
const KEPT_PATH = 'source.keep_secrets';

interface SecretFieldsProps {
  rows: readonly SecretRow[];
  /** The provider of the secrets; null if unknown. */
  provider: ProviderAnswer | null;
  error: ApiError | null;
  onChange(rows: SecretRow[]): void;
}

/** Edits the secrets of a source. Saved secrets are masked and can be removed. */
export function SecretFields({ rows, provider, error, onChange }: SecretFieldsProps) {
  const change = (key: number, to: Partial<SecretRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...to } : row)));
  const add = () => onChange([...rows, newSecret(Math.max(-1, ...rows.map(({ key }) => key)) + 1)]);
  const sent = typedRows(rows);
  const fault = ownFaultAt(error, PATH) ?? faultAt(error, KEPT_PATH);
  const faultOf = (row: SecretRow) =>
    sent.includes(row) ? faultAt(error, `${PATH}.${sent.indexOf(row)}`) : null;
  const news = rows.filter(({ present }) => present === null);
  return (
    <fieldset class="group">
      <legend>Secrets</legend>
      <p class="muted">
        {provider?.secret && (
          <>
            At {provider.title}: <strong>{provider.secret}</strong>.{' '}
          </>
        )}
        Any of several may fit, so a new one can stand beside the old one for a while. They are
        never shown again.
      </p>
      {rows.map((row) =>
        row.present ? (
          <PresentSecret key={row.key} {...row.present} row={row} onChange={change} />
        ) : (
          <NewSecret
            key={row.key}
            row={row}
            isBasic={provider?.name === 'basic'}
            warning={secretWarning(row.value, provider)}
            // The last new field also shows a fault of all secrets together.
            fault={faultOf(row) ?? (row === news.at(-1) ? fault : null)}
            onChange={change}
            onDrop={
              rows.length === 1
                ? undefined
                : () => onChange(rows.filter(({ key }) => key !== row.key))
            }
          />
        ),
      )}
      {news.length === 0 && fault !== null && <p class="fault">{fault}</p>}
      <div>
        <button type="button" onClick={add}>
          Add a secret
        </button>
      </div>
    </fieldset>
  );
}

interface RowProps {
  row: SecretRow;
  onChange(key: number, to: Partial<SecretRow>): void;
}

function PresentSecret(props: RowProps & NonNullable<SecretRow['present']>) {
  const { row, masked, number, onChange } = props;
  const { key, isRemoved } = row;
  return (
    <div class="secret-row">
      <span>
        Secret {number} <span class={`mono ${isRemoved ? 'is-removed' : 'muted'}`}>{masked}</span>
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={`${isRemoved ? 'Keep' : 'Remove'} secret ${number}`}
        onClick={() => onChange(key, { isRemoved: !isRemoved })}
      >
        {isRemoved ? 'Keep' : 'Remove'}
      </button>
    </div>
  );
}

interface NewSecretProps extends RowProps {
  /** Whether the secret is a user and a password. */
  isBasic: boolean;
  fault: string | null;
  /** A warning about the typed text; null if there is none. */
  warning: string | null;
  /** Removes the field; undefined if it is the only one. */
  onDrop: (() => void) | undefined;
}

function NewSecret({ row, isBasic, fault, warning, onChange, onDrop }: NewSecretProps) {
  const { key, user, value } = row;
  const faultId = `secret-${key}-fault`;
  const shared = {
    class: 'mono',
    ...PLAIN,
    'aria-invalid': fault !== null,
    'aria-describedby':
      fault !== null ? faultId : warning !== null ? `secret-${key}-warning` : undefined,
  } as const;
  return (
    <div class="field">
      <div class="secret-row">
        {isBasic && (
          <input
            {...shared}
            aria-label="User"
            placeholder="user"
            value={user}
            onInput={(event) => onChange(key, { user: event.currentTarget.value })}
          />
        )}
        {/* A public key has several lines, and an input would join them. */}
        <textarea
          {...shared}
          rows={1}
          aria-label={isBasic ? 'Password' : 'New secret'}
          placeholder={isBasic ? 'password' : 'paste the secret'}
          value={value}
          onInput={(event) => onChange(key, { value: event.currentTarget.value })}
        />
        {onDrop && (
          <button type="button" class="quiet" aria-label="Drop the new secret" onClick={onDrop}>
            Drop
          </button>
        )}
      </div>
      {fault !== null && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
      <p id={`secret-${key}-warning`} class="secret-warning" role="status">
        {fault === null ? warning : null}
      </p>
    </div>
  );
}
