import { ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { TextField } from '../../parts/form/text-field.tsx';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { Problem } from '../../parts/problem.tsx';

export function Password({ onChanged }: { onChanged(): void }) {
  const { isBusy, error, attempt } = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const body = { current: String(fields.get('current')), new: String(fields.get('new')) };
    return attempt(async () => {
      await session.call('POST /api/auth/password', { body }).catch(atItsField);
      form.reset();
      tell('The password is changed; the other sessions have ended');
      onChanged();
    });
  };
  const shared = { type: 'password', required: true, error } as const;
  return (
    <section>
      <h2>Password</h2>
      <p class="muted">A new password ends all other sessions. API tokens stay.</p>
      <form class="password-form" onSubmit={submit} noValidate>
        <TextField
          label="Current password"
          name="current"
          autocomplete="current-password"
          {...shared}
        />
        <TextField label="New password" name="new" autocomplete="new-password" {...shared} />
        <button type="submit" disabled={isBusy}>
          Change
        </button>
      </form>
      {error && error.issues.length === 0 && <Problem error={error} />}
    </section>
  );
}

/** Throws a wrong password as an error of the field for the current password. */
function atItsField(failed: unknown): never {
  const error = asApiError(failed);
  if (error.code !== 'invalid_credentials') throw error;
  const { status, code, message, hint } = error;
  throw new ApiError(status, code, message, hint, [{ path: 'current', message }]);
}
