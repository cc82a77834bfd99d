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
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  useEffect(() => {
    const left = new AbortController();
    let isCutOff = false;
    load(left.signal).then(
      (value) => !left.signal.aborted && setState({ key, value, error: null }),
      (thrown) => {
        if (left.signal.aborted) return;
        const error = asApiError(thrown);
        isCutOff = error.status === 0;
        setState((before) => ({
          key,
          value: before.key === key ? before.value : null,
          error,
        }));
      },
    );
    // The network is back, so an error is out of date. It may be back before the error is shown.
    const again = () => isCutOff && reload();
    window.addEventListener('online', again, { signal: left.signal });
    return () => left.abort();
  }, [key, turn]);
  const isOfKey = state.key === key;
  return { value: isOfKey ? state.value : null, error: isOfKey ? state.error : null, reload };
}
