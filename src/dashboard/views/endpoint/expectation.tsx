import { useState } from 'preact/hooks';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { loadEndpoints, session, tell } from '../../model/page.ts';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';

/** How often events are expected: an issue opens when the endpoint is silent for longer. */
export function Expectation({ endpoint: { id, expect_every } }: { endpoint: Endpoint }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('expect_every'));
    const body = { expect_every: typed.trim() || null };
    return once(async () => {
      try {
        await session.call('PATCH', `/api/endpoints/${id}`, { body });
        setError(null);
        await loadEndpoints();
        tell(body.expect_every === null ? 'It may be silent' : 'Its silence is an issue now');
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <section>
      <h2>Silence</h2>
      <form class="stacked" onSubmit={submit}>
        <Field
          label="Expect an event every"
          name="expect_every"
          error={error}
          note="From 1s to 365d, such as 15m. An issue opens when no event comes for longer. Empty: it may be silent."
        >
          {(control) => (
            <input
              {...control}
              key={expect_every}
              defaultValue={expect_every ?? ''}
              placeholder="it may be silent"
              autocomplete="off"
            />
          )}
        </Field>
        {error && error.issues.length === 0 && <Problem error={error} />}
        <div class="actions">
          <button type="submit" disabled={isBusy}>
            Set the expectation
          </button>
        </div>
      </form>
    </section>
  );
}
