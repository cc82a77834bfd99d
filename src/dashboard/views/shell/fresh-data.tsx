import { useCallback, useEffect, useRef } from 'preact/hooks';
import { followOverview, forgetOverview, overview, rangeOf } from '../../model/overview.ts';
import { endpoints, live, loadEndpoints } from '../../model/page.ts';
import { place, viewOf } from '../../model/router.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';

/** Time that collects news for one reload of the overview, ms: in view, and for marks alone. */
const SHOWN_REST_MS = 2000;
const MARKS_REST_MS = 30_000;
/** Polling interval of the overview, ms: without news its range moves on, too. */
const RANGE_MOVES_MS = 60_000;
/** Polling interval of the endpoints, ms: the stream has no news of new ones. */
const ENDPOINTS_MS = 20_000;

/** A failure needs no notice: the connection's mark shows it, and the next poll mends it. */
const lookAtEndpoints = () => void loadEndpoints().catch(() => {});

/** Keeps up to date what the frame shows. It draws nothing. */
export function FreshData() {
  useFreshEndpoints();
  const at = place.value;
  const { kind } = viewOf(at);
  const isShown = kind === 'overview' || kind === 'endpoints';
  const range = isShown ? rangeOf(at.query) : 'day';
  const running = useRef<ReturnType<typeof followOverview> | null>(null);
  useEffect(() => {
    const following = followOverview(range);
    running.current = following;
    return () => following.stop();
  }, [range]);
  useEffect(() => forgetOverview, []);
  const reload = useCallback(() => running.current?.reload(), []);
  useReloadOnNews({
    key: `overview ${isShown}`,
    concerns: () => true,
    reload,
    restMs: isShown ? SHOWN_REST_MS : MARKS_REST_MS,
  });
  useReloadWhileVisible(reload, RANGE_MOVES_MS);
  const list = endpoints.value;
  const known = overview.value.value?.endpoints;
  const hasNew = known && list?.some(({ id }) => !known.some((one) => one.endpoint_id === id));
  useEffect(() => {
    if (hasNew) reload();
  }, [hasNew, list]);
  return null;
}

/** Endpoints that were made or changed elsewhere appear without a reload of the page. */
function useFreshEndpoints(): void {
  const stream = live.value;
  useReloadWhileVisible(lookAtEndpoints, ENDPOINTS_MS);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && lookAtEndpoints();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(
    () =>
      stream?.subscribe((news) => {
        if (news.kind === 'attempt') return;
        const isKnown =
          news.kind === 'event' &&
          endpoints.peek()?.some(({ id }) => id === news.event.endpoint_id);
        if (!isKnown) lookAtEndpoints();
      }),
    [stream],
  );
}
