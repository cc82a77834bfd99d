import { useState } from 'preact/hooks';
import type { MadeTokenAnswer } from '../../../api/accounts/api-token-answer.ts';
import type { CallBody } from '../../../api/client/typed-call.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Options } from '../../parts/form/options.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { EndpointChoices } from './endpoint-choices.tsx';

const SCOPES = [
  ['write', 'read and write'],
  ['read', 'read only'],
] as const;

const EXPIRIES = [
  ['', 'never'],
  ['1d', 'in a day'],
  ['7d', 'in 7 days'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

interface NewTokenProps {
  onMade(token: MadeTokenAnswer): void;
  onClose(): void;
}

/** Makes an API token with the chosen rights. */
export function NewToken({ onMade, onClose }: NewTokenProps) {
  const [isLimited, setLimited] = useState(false);
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const expiresIn = String(form.get('expires_in'));
    const body: CallBody<'POST /api/tokens'> = {
      name: String(form.get('name')),
      scopes: form.get('scope') === 'read' ? ['read'] : ['read', 'write'],
      endpoint_ids: isLimited ? form.getAll('endpoint').map(String) : null,
      expires_in: expiresIn === '' ? null : expiresIn,
    };
    return once(async () => {
      setError(null);
      try {
        onMade(await session.call('POST /api/tokens', { body }));
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  const fault = isLimited ? faultAt(error, 'endpoint_ids') : null;
  return (
    <Dialog title="New API token" onClose={onClose}>
      <form class="stacked" onSubmit={submit} noValidate>
        <Field label="Name" name="name" error={error}>
          {(control) => (
            <input {...control} required placeholder="What it is for" autocomplete="off" />
          )}
        </Field>
        <Field label="Scope" name="scope" path="scopes" error={error}>
          {(control) => (
            <select {...control}>
              <Options of={SCOPES} initial="write" />
            </select>
          )}
        </Field>
        <Field label="Expires" name="expires_in" error={error}>
          {(control) => (
            <select {...control}>
              <Options of={EXPIRIES} initial="" />
            </select>
          )}
        </Field>
        <label class="choice">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={(event) => setLimited(event.currentTarget.checked)}
          />
          Only some endpoints
        </label>
        {isLimited && <EndpointChoices legend="Endpoints that it sees" />}
        {fault !== null && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {error && error.issues.length === 0 && <Problem error={error} />}
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
