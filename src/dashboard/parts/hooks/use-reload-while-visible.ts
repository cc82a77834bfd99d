import { useEffect } from 'preact/hooks';

/**
 * Calls `reload` at an interval while the page is visible. This is for data of which the stream has
 * no news.
 */
export function useReloadWhileVisible(reload: () => void, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [reload, intervalMs]);
}
