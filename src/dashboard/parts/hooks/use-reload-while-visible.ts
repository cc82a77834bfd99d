import { useEffect } from 'preact/hooks';

/** Calls `reload` at an interval, for what the stream has no news of. A hidden page rests. */
export function useReloadWhileVisible(reload: () => void, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [reload, intervalMs]);
}
