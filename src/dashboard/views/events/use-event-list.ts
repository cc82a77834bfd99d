import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CallQuery } from '../../../api/client/typed-call.ts';
import { asTyped } from '../../model/as-typed.ts';
import { EventList } from '../../model/event-list.ts';
import { filterKey, filterOf } from '../../model/list-filter.ts';
import { live, session } from '../../model/page.ts';
import { place } from '../../model/router.ts';

/** Deadline for a page of a list, ms. The server searches with a rule for up to 30 s. */
const LIST_TIMEOUT_MS = 40_000;

/**
 * Returns the list of the address's filter. The live stream keeps the list up to date. While the
 * list of a new filter loads, `shown` is the previous list, so that the page doesn't flash.
 *
 * @param endpointId null for the list of all endpoints
 */
export function useEventList(endpointId: string | null): { list: EventList; shown: EventList } {
  const at = place.value;
  const stream = live.value;
  const list = useMemo(
    () =>
      new EventList(
        (typed, signal) => {
          const query = asTyped<CallQuery<'GET /api/events'>>(typed);
          const input = { query, signal, timeoutMs: LIST_TIMEOUT_MS };
          return endpointId === null
            ? session.call('GET /api/events', input)
            : session.call('GET /api/endpoints/{id}/events', {
                params: { id: endpointId },
                ...input,
              });
        },
        filterOf(at, Date.now()),
      ),
    // Opening an event changes the path but not the filter, so the list stays.
    [endpointId, filterKey(at)],
  );
  useEffect(() => () => list.close(), [list]);
  // Subscribes before the next frame. The stream may already report events that the running fetch
  // lacks.
  useLayoutEffect(
    () =>
      stream?.subscribe((news) => {
        // Before the first connection, nothing is lost, because the list is being fetched. So don't
        // restart.
        if (news.kind === 'resync' && news.isFirst) list.refreshHead();
        else if (news.kind === 'resync') list.resync();
        else if (news.kind === 'attempt') list.onAttempt(news.attempt);
        else if (endpointId === null || news.event.endpoint_id === endpointId) {
          list.onArrival(news.event);
        }
      }),
    [stream, list, endpointId],
  );
  void list.version.value;
  const before = useRef(list);
  if (list.isLoaded || list.error) before.current = list;
  return { list, shown: before.current };
}
