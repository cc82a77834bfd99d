import { useEffect } from 'preact/hooks';
import type { LiveNews } from '../model/live-stream.ts';
import { useObservable } from '../model/observable.ts';
import { live } from '../model/page.ts';

interface ReloadOnNews {
  /** What `concerns` depends on. */
  key: string;
  concerns(news: LiveNews): boolean;
  reload(): void;
  /** News comes in bursts: one reading is for all of it that comes within this, ms. */
  restMs: number;
}

/** Calls `reload` after the stream told of something that `concerns`. */
export function useReloadOnNews({ key, concerns, reload, restMs }: ReloadOnNews): void {
  const stream = useObservable(live);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = stream?.subscribe((news) => {
      // Not put off by what comes after: it may never rest.
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
