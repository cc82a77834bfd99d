import { useEffect } from 'preact/hooks';
import { useObservable } from '../model/observable.ts';
import { live, session } from '../model/page.ts';
import { useLoaded } from './use-loaded.ts';

/** Figures are read again this long after something happened, ms: not for each event. */
const REST_MS = 1000;

/** Figures of an endpoint, kept up with what the stream tells. */
export function useStats<T>(endpointId: string, path: string) {
  const stream = useObservable(live);
  const loaded = useLoaded(endpointId, (signal) =>
    session.call<T>('GET', `/api/endpoints/${endpointId}/${path}`, { signal }),
  );
  const { reload } = loaded;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = stream?.subscribe((news) => {
      const of =
        news.kind === 'event'
          ? news.event.endpoint_id
          : news.kind === 'attempt'
            ? news.attempt.endpoint_id
            : endpointId;
      if (of !== endpointId || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        reload();
      }, REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [stream, endpointId, reload]);
  return loaded;
}
