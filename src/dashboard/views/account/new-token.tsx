import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { endpoints, session } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const EXPIRIES = [
  ['', 'never'],
  ['1d', 'in a day'],
  ['7d', 'in 7 days'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

interface NewTokenProps {
  onMade(token: string): void;
  onClose(): void;
}

/** Makes an API token with the chosen rights. */
export function NewToken({ onMade, onClose }: NewTokenProps) {
  const all = endpoints.value ?? [];
  const [isLimited, setLimited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const expiresIn = String(form.get('expires_in'));
    const body = {
      name: String(form.get('name')),
      scopes: form.get('scope') === 'read' ? ['read'] : ['read', 'write'],
      endpoint_ids: isLimited ? form.getAll('endpoint') : null,
      expires_in: expiresIn === '' ? null : expiresIn,
    };
    setBusy(true);
    try {
      const { token } = await session.call<{ token: string }>('POST', '/api/tokens', { body });
      onMade(token);
      onClose();
    } catch (failed) {
      setError(asApiError(failed));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New API token" onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={100} placeholder="What it is for" />
        </label>
        <label>
          Scope
          <select name="scope">
            <option value="write">read and write</option>
            <option value="read">read only</option>
          </select>
        </label>
        <label>
          Expires
          <select name="expires_in">
            {EXPIRIES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={(event) => setLimited(event.currentTarget.checked)}
          />
          Only some endpoints
        </label>
        {isLimited && (
          <fieldset class="choices">
            <legend class="muted">Endpoints that it sees</legend>
            {all.map(({ id, name }) => (
              <label key={id} class="choice">
                <input type="checkbox" name="endpoint" value={id} />
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
