import * as v from 'valibot';
import { EVENT_STATUS, type EventStatus } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { EventStore, HourWindow } from '../../store/contract/events.ts';
import { type Route, route } from '../route.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

const count = v.number();

const eventStatsSchema = v.object({
  totals: v.pipe(
    v.object(
      Object.fromEntries(EVENT_STATUS.names.map((status) => [status, count])) as Record<
        EventStatus,
        typeof count
      >,
    ),
    v.description('All events of the endpoint, by current status.'),
  ),
  hours: v.pipe(
    v.array(v.object({ at: isoTimeSchema, events: count })),
    v.description('Events received in each of the last 24 hours, the current one last.'),
  ),
});

const destinationStatsSchema = v.object({
  destination_id: v.string(),
  hours: v.array(
    v.object({
      at: isoTimeSchema,
      succeeded: count,
      failed: count,
      mean_ms: v.pipe(v.nullable(count), v.description('Null without attempts.')),
      max_ms: v.nullable(count),
    }),
  ),
});

export interface StatsRoutesOptions {
  events: Pick<EventStore, 'eventActivity' | 'attemptActivity'>;
  clock: Clock;
}

/** Routes of statistics of the last 24 hours, by full hour (UTC). */
export function statsRoutes({ events, clock }: StatsRoutesOptions): Route[] {
  const tag = 'stats';
  const lastDay = (): HourWindow => ({
    from: (Math.floor(clock.now() / HOUR_MS) - HOURS + 1) * HOUR_MS,
    hours: HOURS,
  });
  const hourAt = ({ from }: HourWindow, hour: number) => isoTime(from + hour * HOUR_MS);
  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/stats',
      summary: 'Count an endpoint’s events by status, and by hour of the last 24',
      tag,
      access: 'endpoint',
      scope: 'read',
      status: 200,
      response: eventStatsSchema,
      async handle({ endpoint, signal }) {
        const window = lastDay();
        const { totals, received } = await events.eventActivity(endpoint.key, window, signal);
        return {
          totals,
          hours: received.map((events, hour) => ({ at: hourAt(window, hour), events })),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/destination-stats',
      summary:
        'Count attempts of the last 24 hours by destination and hour; destinations without attempts are left out',
      tag,
      access: 'endpoint',
      scope: 'read',
      status: 200,
      response: v.array(destinationStatsSchema),
      async handle({ endpoint, signal }) {
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
    }),
  ];
}
