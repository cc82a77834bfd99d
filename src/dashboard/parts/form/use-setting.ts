import { useState } from 'preact/hooks';
import type { CallBody } from '../../../api/client/typed-call.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { loadEndpoints, session, tell } from '../../model/page.ts';
import { useAction } from './use-action.ts';

interface SettingForm {
  /** The error of the last change; null if that change worked. */
  error: ApiError | null;
  isBusy: boolean;
  /** Changes the endpoint and then shows `done`. A call during a change does nothing. */
  change(body: CallBody<'PATCH /api/endpoints/{id}'>, done: string): Promise<void>;
}

/**
 * Returns the state and the action of a form for a setting of an endpoint.
 *
 * @param onChanged called before the endpoints load again
 */
export function useSetting(endpointId: string, onChanged?: () => void): SettingForm {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const change: SettingForm['change'] = (body, done) =>
    once(async () => {
      try {
        await session.call('PATCH /api/endpoints/{id}', { params: { id: endpointId }, body });
        setError(null);
        onChanged?.();
        await loadEndpoints();
        tell(done);
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  return { error, isBusy, change };
}
