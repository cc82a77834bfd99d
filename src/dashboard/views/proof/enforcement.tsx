import { useState } from 'preact/hooks';
import type { Endpoint, Source } from '../../../api/answers/endpoint.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { act, loadEndpoints, session, tell } from '../../model/page.ts';
import { rejectedPath } from '../../model/router.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { refusedText } from '../../text/proof/check-text.ts';
import { checkSource, FailedList } from './check-result.tsx';

async function enforce(endpointId: string, isEnforced: boolean): Promise<void> {
  const body = { source: { enforce: isEnforced } };
  await session.call('PATCH', `/api/endpoints/${endpointId}`, { body });
  await loadEndpoints();
  tell(isEnforced ? 'Requests that fail are refused now' : 'Requests that fail are captured again');
}

interface EnforcementProps {
  endpoint: Endpoint;
  source: Source;
}

/** Whether requests that fail are captured or refused. */
export function Enforcement({ endpoint, source }: EnforcementProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, once] = useAction();
  return (
    <section>
      <h2>
        Enforce{' '}
        <span class={`badge ${source.enforce ? 'is-delivered' : ''}`}>
          {source.enforce ? 'on' : 'off'}
        </span>
      </h2>
      {source.enforce ? (
        <>
          <p class="muted">
            A request that fails is answered 401 and makes no event. The newest are kept among the{' '}
            <a href={rejectedPath(endpoint.id)}>rejected requests</a>, where you can accept them.
          </p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => once(() => act(() => enforce(endpoint.id, false)))}
          >
            Stop enforcing
          </button>
        </>
      ) : (
        <>
          <p class="muted">
            A request that fails is captured and delivered like any, marked as failed. Enforced, it
            is answered 401 and makes no event.
          </p>
          <button type="button" onClick={() => setAsking(true)}>
            Enforce …
          </button>
        </>
      )}
      {isAsking && <EnforceDialog endpointId={endpoint.id} onClose={() => setAsking(false)} />}
    </section>
  );
}

interface EnforceDialogProps {
  endpointId: string;
  onClose(): void;
}

/** Shows what enforcing would have refused, before it is on. */
function EnforceDialog({ endpointId, onClose }: EnforceDialogProps) {
  const { value: check, error } = useLoaded('check', () => checkSource(endpointId, {}));
  const [failed, setFailed] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const confirm = () =>
    once(async () => {
      try {
        await enforce(endpointId, true);
        onClose();
      } catch (reason) {
        setFailed(asApiError(reason));
      }
    });
  return (
    <Dialog title="Enforce the source" onClose={onClose}>
      <p>
        From now on, a request that fails is answered 401: its sender sees an error, and nothing is
        delivered. The newest 1,000 are kept, so that you can accept one that was right.
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
      {failed && <Problem error={failed} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isBusy} onClick={confirm}>
          Enforce
        </button>
      </div>
    </Dialog>
  );
}
