import type { ApiError } from '../../model/api-error.ts';
import { ownFaultAt } from '../../text/field-faults.ts';
import type { HeaderRow } from './destination-form.ts';

interface HeaderFieldsProps {
  rows: readonly HeaderRow[];
  error: ApiError | null;
  onChange(rows: HeaderRow[]): void;
}

/** The headers of each attempt: masked values, which a typed one replaces. */
export function HeaderFields({ rows, error, onChange }: HeaderFieldsProps) {
  const change = (key: number, to: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...to } : row)));
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, name: '', value: '', masked: null, isRemoved: false }]);
  };
  const fault = ownFaultAt(error, 'headers');
  return (
    <>
      {rows.map((row) => (
        <HeaderField
          key={row.key}
          row={row}
          fault={ownFaultAt(error, `headers.${row.name}`)}
          onChange={(to) => change(row.key, to)}
          onDrop={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {fault !== null && <p class="fault">{fault}</p>}
      <div>
        <button type="button" onClick={add}>
          Add a header
        </button>
      </div>
    </>
  );
}

interface HeaderFieldProps {
  row: HeaderRow;
  fault: string | null;
  onChange(to: Partial<HeaderRow>): void;
  /** A new header is taken back. */
  onDrop(): void;
}

function HeaderField({ row, fault, onChange, onDrop }: HeaderFieldProps) {
  const { key, name, value, masked, isRemoved } = row;
  const isNew = masked === null;
  const faultId = `header-${key}-fault`;
  const wrong = {
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? undefined : faultId,
  };
  return (
    <div class="field">
      <div class="header-row">
        {isNew ? (
          <input
            class="mono"
            aria-label="Header"
            placeholder="authorization"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={name}
            {...wrong}
            onInput={(event) => onChange({ name: event.currentTarget.value.trim() })}
          />
        ) : (
          <span class={`mono wrap ${isRemoved ? 'is-removed' : ''}`}>{name}</span>
        )}
        <input
          class="mono"
          aria-label={isNew ? 'Value' : `New value of ${name}`}
          placeholder={isNew ? 'Bearer …' : isRemoved ? 'removed' : `${masked} stays`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          disabled={isRemoved}
          value={value}
          {...wrong}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
        <button
          type="button"
          class="quiet"
          aria-label={
            isRemoved ? `Keep ${name}` : name === '' ? 'Remove the new header' : `Remove ${name}`
          }
          onClick={isNew ? onDrop : () => onChange({ isRemoved: !isRemoved, value: '' })}
        >
          {isRemoved ? 'Keep' : 'Remove'}
        </button>
      </div>
      {fault !== null && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
