import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { useAction } from './use-action.ts';

interface OneAttempt {
  isBusy: boolean;
  /** Why the last attempt failed; null if it worked. */
  error: ApiError | null;
  setError(error: ApiError | null): void;
  /** Runs an action, one at a time. If the action fails, sets `error`. */
  attempt(action: () => Promise<unknown>): Promise<void>;
}

/** For an action that shows its failure where the user started it. */
export function useAttempt(): OneAttempt {
  const [isBusy, once] = useAction();
  const [error, setError] = useState<ApiError | null>(null);
  const attempt: OneAttempt['attempt'] = (action) =>
    once(async () => {
      try {
        await action();
        setError(null);
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  return { isBusy, error, setError, attempt };
}
