import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
  reload(): void;
}

/**
 * Loads a value, and loads it again when `key` changes or `reload` is called. A reload keeps the
 * old value until the new one arrives. A new key clears the old value at once.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; value: T | null; error: ApiError | null }>({
    key,
    value: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    load(left.signal).then(
      (value) => !left.signal.aborted && setState({ key, value, error: null }),
      (error) => {
        if (left.signal.aborted) return;
        setState((before) => ({
          key,
          value: before.key === key ? before.value : null,
          error: asApiError(error),
        }));
      },
    );
    return () => left.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const isOfKey = state.key === key;
  const isCutOff = isOfKey && state.error?.status === 0;
  // The network is back, so a shown error is out of date.
  useEffect(() => {
    if (!isCutOff) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isCutOff, reload]);
  return { value: isOfKey ? state.value : null, error: isOfKey ? state.error : null, reload };
}
