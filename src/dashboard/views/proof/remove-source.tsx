import { useState } from 'preact/hooks';
import type { Source } from '../../../api/answers/endpoint.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { loadEndpoints, session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { plural } from '../../text/format.ts';

interface RemoveSourceProps {
  endpointId: string;
  source: Source;
  onClose(): void;
}

/** Asks before the secrets are gone. */
export function RemoveSource({ endpointId, source, onClose }: RemoveSourceProps) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const remove = () =>
    once(async () => {
      try {
        await session.call('PATCH', `/api/endpoints/${endpointId}`, { body: { source: null } });
        onClose();
        await loadEndpoints();
        tell('The source is removed');
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  return (
    <Dialog title="Remove the source" onClose={onClose}>
      <p>
        New requests are captured without a check, and {plural(source.secrets.length, 'secret')}{' '}
        {source.secrets.length === 1 ? 'is' : 'are'} deleted. Verdicts on earlier events stay.
      </p>
      {error && <Problem error={error} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="destructive" disabled={isBusy} onClick={remove}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}
