import type { ApiError } from '../../model/api-error.ts';
import type { EditedHeader } from '../../text/event/edited-event.ts';
import { faultAt, ownFaultAt } from '../../text/field-faults.ts';
import { isolated } from '../../text/foreign-text.ts';

interface EditedHeadersProps {
  headers: readonly EditedHeader[];
  error: ApiError | null;
  onChange(headers: EditedHeader[]): void;
}

/** The headers of an edited copy, one row for each line of the request. */
export function EditedHeaders({ headers, error, onChange }: EditedHeadersProps) {
  const change = (key: number, to: Partial<EditedHeader>) =>
    onChange(headers.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const add = () => {
    const key = Math.max(-1, ...headers.map((one) => one.key)) + 1;
    onChange([...headers, { key, name: '', value: '' }]);
  };
  const own = ownFaultAt(error, 'headers');
  return (
    <fieldset class="group">
      <legend>Headers</legend>
      <p class="muted">The server sets content-length.</p>
      {headers.map(({ key, name, value }) => {
        const fault = faultAt(error, `headers.${name}`);
        const faultId = `edited-header-${key}-fault`;
        const field = {
          class: 'mono',
          autocomplete: 'off',
          autocapitalize: 'off',
          spellcheck: false,
          'aria-invalid': fault !== null,
          'aria-describedby': fault === null ? undefined : faultId,
        } as const;
        return (
          <div key={key} class="field">
            <div class="header-row">
              <input
                {...field}
                aria-label="Header"
                value={name}
                onInput={(event) => change(key, { name: event.currentTarget.value.trim() })}
              />
              <input
                {...field}
                aria-label={name === '' ? 'Value' : `Value of ${isolated(name)}`}
                value={value}
                onInput={(event) => change(key, { value: event.currentTarget.value })}
              />
              <button
                type="button"
                class="quiet"
                aria-label={name === '' ? 'Remove the new header' : `Remove ${isolated(name)}`}
                onClick={() => onChange(headers.filter((one) => one.key !== key))}
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
      })}
      {own !== null && <p class="fault">{own}</p>}
      <div>
        <button type="button" onClick={add}>
          Add a header
        </button>
      </div>
    </fieldset>
  );
}
