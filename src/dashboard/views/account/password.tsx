import { useState } from 'preact/hooks';
import { ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';

/** Changes the password. */
export function Password({ onChanged }: { onChanged(): void }) {
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const body = { current: String(fields.get('current')), new: String(fields.get('new')) };
    return once(async () => {
      setError(null);
      try {
        await session.call('POST /api/auth/password', { body });
        form.reset();
        tell('The password is changed; the other sessions have ended');
        onChanged();
      } catch (failed) {
        setError(atItsField(asApiError(failed)));
      }
    });
  };
  return (
    <section>
      <h2>Password</h2>
      <p class="muted">A new one ends all other sessions. API tokens stay.</p>
      <form class="password-form" onSubmit={submit} noValidate>
        <Field label="Current password" name="current" error={error}>
          {(control) => (
            <input {...control} type="password" required autocomplete="current-password" />
          )}
        </Field>
        <Field label="New password" name="new" error={error}>
          {(control) => <input {...control} type="password" required autocomplete="new-password" />}
        </Field>
        <button type="submit" disabled={isBusy}>
          Change
        </button>
      </form>
      {error && error.issues.length === 0 && <Problem error={error} />}
    </section>
  );
}

/** A wrong password is an error of the field with the present one. */
function atItsField(error: ApiError): ApiError {
  if (error.code !== 'invalid_credentials') return error;
  const { status, code, message, hint } = error;
  return new ApiError(status, code, message, hint, [{ path: 'current', message }]);
}
