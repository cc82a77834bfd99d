import { useEffect } from 'preact/hooks';
import type { LiveNews } from '../../model/live-client.ts';
import { live } from '../../model/page.ts';

interface ReloadOnNews {
  /** Identifies the function `concerns`. A new key subscribes again with the new function. */
  key: string;
  concerns(news: LiveNews): boolean;
  reload(): void;
  /** How long news is collected before one reload, ms. */
  restMs: number;
}

/** Calls `reload` after news of the live stream that `concerns` accepts. */
export function useReloadOnNews({ key, concerns, reload, restMs }: ReloadOnNews): void {
  const stream = live.value;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = stream?.subscribe((news) => {
      // Further news doesn't postpone the reload. Otherwise a steady stream would prevent the
      // reload.
      if (timer !== undefined || !concerns(news)) return;
      timer = setTimeout(() => {
        timer = undefined;
        reload();
      }, restMs);
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [stream, key, reload, restMs]);
}
