import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { act, loadEndpoints, session } from '../../model/page.ts';
import { endpointPath, navigate } from '../../model/router.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { isAtFields } from '../../text/field-faults.ts';

/** Asks for the name of a new endpoint, and shows it. */
export function NewEndpoint({ onClose }: { onClose(): void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const create = (event: Event) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name'));
    return once(async () => {
      try {
        const { id } = await session.call('POST /api/endpoints', { body: { name } });
        await act(loadEndpoints);
        navigate(endpointPath(id));
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title="New endpoint" onClose={onClose}>
      <form class="stacked" onSubmit={create} noValidate>
        <Field
          label="Name of the new endpoint"
          name="name"
          error={error}
          note="It gets a capture URL of its own. You can rename it later."
        >
          {(control) => <input {...control} required placeholder="orders" autocomplete="off" />}
        </Field>
        {error && !isAtFields(error, ['name']) && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
