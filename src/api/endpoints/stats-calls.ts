import * as v from 'valibot';
import { EVENT_STATUS } from '../../core/model.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../iso-time.ts';

const count = v.number();

const eventStatsSchema = v.object({
  totals: about(
    v.object(v.entriesFromList(EVENT_STATUS.names, count)),
    'All events of the endpoint, by current status.',
  ),
  hours: about(
    v.array(v.object({ at: isoTimeSchema, events: count })),
    'Events received in each of the last 24 hours, the current one last.',
  ),
});

export const destinationStatsSchema = v.object({
  destination_id: v.string(),
  hours: v.array(
    v.object({
      at: isoTimeSchema,
      succeeded: count,
      failed: count,
      mean_ms: about(v.nullable(count), 'Null without attempts.'),
      max_ms: v.nullable(count),
    }),
  ),
});

const read = { tag: 'stats', access: 'endpoint', scope: 'read' } as const;

export const STATS_CALLS = {
  'GET /api/endpoints/{id}/stats': {
    ...read,
    summary: 'Count an endpoint’s events by status, and by hour of the last 24',
    response: eventStatsSchema,
  },
  'GET /api/endpoints/{id}/destination-stats': {
    ...read,
    summary:
      'Count attempts of the last 24 hours by destination and hour; destinations without attempts are left out',
    response: v.array(destinationStatsSchema),
  },
} as const satisfies Calls;
