import { loadEndpoints, session, tell } from '../../model/page.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { checkSource, FailedList } from './check-result.tsx';
import { refusedText } from './check-text.ts';

export async function enforce(endpointId: string, isEnforced: boolean): Promise<void> {
  await session.call('PATCH /api/endpoints/{id}', {
    params: { id: endpointId },
    body: { source: { enforce: isEnforced } },
  });
  await loadEndpoints();
  tell(isEnforced ? 'Requests that fail are refused now' : 'Requests that fail are captured again');
}

interface EnforceDialogProps {
  endpointId: string;
  onClose(): void;
}

/** Shows what enforcement would have refused, before the user enables it. */
export function EnforceDialog({ endpointId, onClose }: EnforceDialogProps) {
  const { value: check, error } = useLoaded('check', () => checkSource(endpointId, {}));
  return (
    <FormDialog
      title="Enforce the source"
      action="Enforce"
      onSubmit={() => enforce(endpointId, true)}
      onClose={onClose}
    >
      <p>
        From now on, a request that fails is answered 401, or 503 where a key can’t be fetched now:
        its sender sees an error, and nothing is delivered. The newest 1,000 are kept, so that you
        can accept one that was right.
      </p>
      <div class="check" role="status">
        {!check && !error && <p class="muted">Checking past events …</p>}
        {check && (
          <>
            <p>
              <strong>{refusedText(check)}</strong>
            </p>
            <FailedList check={check} />
          </>
        )}
      </div>
      {error && <Problem error={error} />}
    </FormDialog>
  );
}
