import type { ApiError } from '../../model/api-error.ts';
import { faultAt, ownFaultAt } from '../../text/field-faults.ts';
import { isolated } from '../../text/foreign-text.ts';
import type { HeaderLine } from '../../text/header-line.ts';

interface HeaderRowsProps {
  rows: readonly HeaderLine[];
  /** Path of the headers in the API's errors. */
  path: 'headers' | 'response.headers';
  error: ApiError | null;
  /** Shown in empty fields. */
  example?: Pick<HeaderLine, 'name' | 'value'>;
  onChange(rows: HeaderLine[]): void;
}

/** Headers to edit, one row each, with its fault below. */
export function HeaderRows({ rows, path, error, example, onChange }: HeaderRowsProps) {
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, name: '', value: '' }]);
  };
  const fault = ownFaultAt(error, path);
  return (
    <>
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          example={example}
          fault={faultAt(error, `${path}.${row.name}`)}
          onChange={(to) =>
            onChange(rows.map((one) => (one.key === row.key ? { ...one, ...to } : one)))
          }
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
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

interface RowProps {
  row: HeaderLine;
  example: HeaderRowsProps['example'];
  fault: string | null;
  onChange(to: Partial<HeaderLine>): void;
  onRemove(): void;
}

function Row({ row: { key, name, value }, example, fault, onChange, onRemove }: RowProps) {
  const faultId = `header-${key}-fault`;
  const shared = {
    class: 'mono',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? undefined : faultId,
  } as const;
  const which = name === '' ? 'the new header' : isolated(name);
  return (
    <div class="field">
      <div class="header-row">
        <input
          {...shared}
          aria-label="Header"
          placeholder={example?.name}
          value={name}
          onInput={(event) => onChange({ name: event.currentTarget.value.trim() })}
        />
        <input
          {...shared}
          aria-label={`Value of ${which}`}
          placeholder={example?.value}
          value={value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
        <button type="button" class="quiet" aria-label={`Remove ${which}`} onClick={onRemove}>
          Remove
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
