import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { Problem } from '../../parts/problem.tsx';

/** Changes the password. */
export function Password() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const body = { current: String(fields.get('current')), new: String(fields.get('new')) };
    setBusy(true);
    setError(null);
    try {
      await session.call('POST', '/api/auth/password', { body });
      form.reset();
      tell('The password is changed; the other sessions have ended');
    } catch (failed) {
      setError(asApiError(failed));
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>Password</h2>
      <p class="muted">A new one ends all other sessions. API tokens stay.</p>
      <form class="inline" onSubmit={submit}>
        <input
          name="current"
          type="password"
          required
          autocomplete="current-password"
          placeholder="Current password"
          aria-label="Current password"
        />
        <input
          name="new"
          type="password"
          required
          autocomplete="new-password"
          placeholder="New password"
          aria-label="New password"
        />
        <button type="submit" disabled={isBusy}>
          Change
        </button>
      </form>
      {error && <Problem error={error} />}
    </section>
  );
}
