import { useEffect } from 'preact/hooks';

/**
 * Calls `reload` at an interval while the page is visible. Serves data that the live stream has no
 * news of.
 */
export function useReloadWhileVisible(reload: () => void, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [reload, intervalMs]);
}
