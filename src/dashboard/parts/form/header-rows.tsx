import type { ApiError } from '../../model/api-error.ts';
import { faultAt, ownFaultAt } from '../../text/field-faults.ts';
import { isolated } from '../../text/foreign-text.ts';
import type { HeaderLine } from '../../text/header-line.ts';
import { PLAIN } from './text-field.tsx';

interface HeaderRowsProps {
  rows: readonly HeaderLine[];
  /** The headers' path in the API's errors. */
  path: 'headers' | 'response.headers';
  error: ApiError | null;
  /** Placeholders of empty fields. */
  example?: Pick<HeaderLine, 'name' | 'value'>;
  onChange(rows: HeaderLine[]): void;
}

/** Edits headers, one per row. A header's faults appear below its row. */
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

interface RowProps {
  row: HeaderLine;
  example: HeaderRowsProps['example'];
  fault: string | null;
  onChange(to: Partial<HeaderLine>): void;
  /** Called to remove the row of a new header. */
  onDrop(): void;
}

function Row({ row, example, fault, onChange, onDrop }: RowProps) {
  const { key, name, value, masked, isRemoved = false } = row;
  const isNew = masked === undefined;
  const faultId = `header-${key}-fault`;
  const shared = {
    class: 'mono',
    ...PLAIN,
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? undefined : faultId,
  } as const;
  const which = name === '' ? 'the new header' : isolated(name);
  return (
    <div class="field">
      <div class="header-row">
        {isNew ? (
          <input
            {...shared}
            aria-label="Header"
            placeholder={example?.name}
            value={name}
            onInput={(event) => onChange({ name: event.currentTarget.value.trim() })}
          />
        ) : (
          <span class={`mono wrap ${isRemoved ? 'is-removed' : ''}`}>{name}</span>
        )}
        <input
          {...shared}
          aria-label={`${isNew ? 'Value' : 'New value'} of ${which}`}
          placeholder={isNew ? example?.value : isRemoved ? 'removed' : `${masked} stays`}
          disabled={isRemoved}
          value={value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
        <button
          type="button"
          class="quiet"
          aria-label={`${isRemoved ? 'Keep' : 'Remove'} ${which}`}
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
