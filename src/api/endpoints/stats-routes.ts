import type { Clock } from '../../core/runtime/runtime.ts';
import { HOUR_MS } from '../../core/text/duration.ts';
import type { EventStore, HourWindow } from '../../store/contract/events.ts';
import { isoTime } from '../iso-time.ts';
import { type Route, routesOf } from '../route.ts';
import { STATS_CALLS } from './stats-calls.ts';

const HOURS = 24;

export interface StatsRoutesOptions {
  events: Pick<EventStore, 'eventActivity' | 'attemptActivity'>;
  clock: Clock;
}

/** Routes of statistics of the last 24 hours, by full hour (UTC). */
export function statsRoutes({ events, clock }: StatsRoutesOptions): Route[] {
  const lastDay = (): HourWindow => ({
    from: (Math.floor(clock.now() / HOUR_MS) - HOURS + 1) * HOUR_MS,
    hours: HOURS,
  });
  const hourAt = ({ from }: HourWindow, hour: number) => isoTime(from + hour * HOUR_MS);
  return routesOf(STATS_CALLS, {
    async 'GET /api/endpoints/{id}/stats'({ endpoint, signal }) {
      const window = lastDay();
      const { totals, received } = await events.eventActivity(endpoint.key, window, signal);
      return {
        totals,
        hours: received.map((events, hour) => ({ at: hourAt(window, hour), events })),
      };
    },
    async 'GET /api/endpoints/{id}/destination-stats'({ endpoint, signal }) {
      const window = lastDay();
      const found = await events.attemptActivity(endpoint.key, window, signal);
      return [...Map.groupBy(found, ({ destinationId }) => destinationId)].map(([id, parts]) => ({
        destination_id: id,
        hours: Array.from({ length: HOURS }, (_, hour) => {
          const part = parts.find((one) => one.hour === hour);
          const { succeeded = 0, failed = 0, totalMs = 0, maxMs = null } = part ?? {};
          return {
            at: hourAt(window, hour),
            succeeded,
            failed,
            mean_ms: part ? Math.round(totalMs / (succeeded + failed)) : null,
            max_ms: maxMs,
          };
        }),
      }));
    },
  });
}
