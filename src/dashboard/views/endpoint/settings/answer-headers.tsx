import type { ApiError } from '../../../model/api-error.ts';
import type { HeaderField } from '../../../text/endpoint/answer-form.ts';
import { ownFaultAt } from '../../../text/field-faults.ts';

interface AnswerHeadersProps {
  rows: readonly HeaderField[];
  error: ApiError | null;
  onChange(rows: HeaderField[]): void;
}

/** Rows for the headers of an answer. */
export function AnswerHeaders({ rows, error, onChange }: AnswerHeadersProps) {
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, name: '', value: '' }]);
  };
  const fault = ownFaultAt(error, 'response.headers');
  return (
    <fieldset class="answer-headers">
      <legend>Headers</legend>
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          fault={ownFaultAt(error, `response.headers.${row.name.trim()}`)}
          onChange={(to) =>
            onChange(rows.map((one) => (one.key === row.key ? { ...one, ...to } : one)))
          }
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {fault !== null && <p class="fault">{fault}</p>}
      <button type="button" class="quiet" onClick={add}>
        + Add a header
      </button>
    </fieldset>
  );
}

const PLAIN = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const;

interface RowProps {
  row: HeaderField;
  fault: string | null;
  onChange(to: Partial<HeaderField>): void;
  onRemove(): void;
}

function Row({ row: { key, name, value }, fault, onChange, onRemove }: RowProps) {
  const faultId = `answer-header-${key}-fault`;
  const shared = {
    ...PLAIN,
    class: 'mono',
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? undefined : faultId,
  };
  return (
    <div class="field">
      <div class="header-row">
        <input
          {...shared}
          aria-label="Header"
          placeholder="retry-after"
          value={name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
        <input
          {...shared}
          aria-label={name.trim() === '' ? 'Value of the new header' : `Value of ${name.trim()}`}
          placeholder="120"
          value={value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
        <button
          type="button"
          class="quiet"
          aria-label={name.trim() === '' ? 'Remove the new header' : `Remove ${name.trim()}`}
          onClick={onRemove}
        >
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
