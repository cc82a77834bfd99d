import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { useAction } from './use-action.ts';

interface OneAttempt {
  isBusy: boolean;
  /** The error of the last attempt; null if that attempt worked. */
  error: ApiError | null;
  setError(error: ApiError | null): void;
  /** Runs an action, one at a time. Sets `error` if the action fails. */
  attempt(action: () => Promise<unknown>): Promise<void>;
}

/** Runs an action whose failure appears where the user started it. */
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
