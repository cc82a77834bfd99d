import { type ApiError, asApiError } from '../../model/api-error.ts';

/** At most this many requests at once. More would take the server's slots from captures. */
const AT_ONCE = 4;

export interface Run<T> {
  total: number;
  done: number;
  failed: readonly { item: T; error: ApiError }[];
}

/**
 * Works on the items in order, a few at once. A failed item doesn't stop the other items. After
 * `signal` is aborted, starts no item and returns when the running items have ended.
 *
 * @param onProgress receives the state after each item
 */
export async function runEach<T>(
  items: readonly T[],
  work: (item: T, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  onProgress: (run: Run<T>) => void = () => {},
): Promise<Run<T>> {
  let next = 0;
  let run: Run<T> = { total: items.length, done: 0, failed: [] };
  const worker = async () => {
    while (next < items.length && !signal.aborted) {
      const item = items[next++] as T;
      try {
        await work(item, signal);
        run = { ...run, done: run.done + 1 };
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') return;
        run = { ...run, failed: [...run.failed, { item, error: asApiError(error) }] };
      }
      onProgress(run);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return run;
}
