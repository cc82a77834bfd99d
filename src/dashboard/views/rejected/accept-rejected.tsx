import { useState } from 'preact/hooks';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import type { EventSummary } from '../../../api/answers/event.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';

interface AcceptRejectedProps {
  endpoint: Endpoint;
  /** The rejected request at the API. */
  path: string;
  onClose(): void;
}

/** Asks before a rejected request becomes an event; then shows it, or why it still fails. */
export function AcceptRejected({ endpoint, path, onClose }: AcceptRejectedProps) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const accept = () =>
    once(async () => {
      try {
        const event = await session.call<EventSummary>('POST', `${path}/accept`);
        onClose();
        navigate(eventPath(endpoint.id, event.id));
        tell(
          event.duplicate_of === null
            ? 'The request is accepted, and delivered like any'
            : 'The request is accepted. It repeats an earlier event, so it isn’t delivered',
        );
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  return (
    <Dialog title="Accept the request" onClose={onClose}>
      <p>
        {endpoint.source
          ? 'The request is checked again, with the present secrets. If one fits, it becomes an event and is delivered like any.'
          : 'The endpoint has no source now, so nothing can be checked.'}
      </p>
      {error && <Problem error={error} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isBusy} onClick={accept}>
          Accept
        </button>
      </div>
    </Dialog>
  );
}
