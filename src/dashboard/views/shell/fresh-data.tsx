import { useCallback, useEffect, useRef } from 'preact/hooks';
import { followOverview, forgetOverview, overview, rangeOf } from '../../model/overview.ts';
import { endpoints, live, loadEndpoints } from '../../model/page.ts';
import { place, viewOf } from '../../model/router.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';

/**
 * The delays between news and one reload of the overview, ms. The first applies while the overview
 * is in view. The second applies while only the endpoints' signs show its data.
 */
const SHOWN_REST_MS = 2000;
const MARKS_REST_MS = 30_000;
/** The polling interval of the overview, ms. Its range moves with time, even without news. */
const RANGE_MOVES_MS = 60_000;
/** The polling interval of the endpoints, ms. The stream has no news of new endpoints. */
const ENDPOINTS_MS = 20_000;

/** A failure needs no notice: the connection's sign shows it, and the next poll repairs it. */
const lookAtEndpoints = () => void loadEndpoints().catch(() => {});

/** Keeps the overview and the endpoints up to date. Draws nothing. */
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

/** Loads the endpoints regularly, because they may be created or changed elsewhere. */
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
