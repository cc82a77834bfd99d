import * as v from 'valibot';
import { EVENT_STATUS } from '../../core/model.ts';
import { about } from '../about.ts';
import { healthSchema, waitingSchema } from '../destinations/destination-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { issueSchema } from '../issues/issue-schema.ts';
import { oneOf } from '../one-of.ts';
import { OVERVIEW_RANGES } from './overview-range.ts';

export const overviewQuerySchema = v.object({
  range: v.optional(oneOf(OVERVIEW_RANGES)),
});

const count = v.number();
const events = about(
  v.object(v.entriesFromList(EVENT_STATUS.names, count)),
  'Events received, by current status.',
);
const attempts = v.object({ succeeded: count, failed: count });
const latency = about(
  v.nullable(v.object({ p50: count, p95: count, p99: count })),
  'Durations of attempts, ms. Null without an attempt.',
);

export const overviewSchema = v.object({
  range: v.picklist(OVERVIEW_RANGES),
  from: isoTimeSchema,
  to: isoTimeSchema,
  bucket_ms: count,
  buckets: v.array(v.object({ at: isoTimeSchema, events, attempts, latency })),
  totals: v.object({
    events,
    attempts,
    latency,
    sampled: about(v.boolean(), 'Whether the oldest attempts of the range are left out.'),
  }),
  waiting: waitingSchema,
  issues: v.object({ open: count, newest: v.array(issueSchema) }),
  destinations: about(
    v.array(
      v.object({
        id: v.string(),
        endpoint_id: v.string(),
        name: v.nullable(v.string()),
        url: v.string(),
        state: v.string(),
        health: healthSchema,
        waiting: waitingSchema,
      }),
    ),
    'Destinations that don’t deliver, those with the most waiting first, at most 20.',
  ),
  silent: v.array(
    v.object({
      endpoint_id: v.string(),
      name: v.string(),
      last_at: v.nullable(isoTimeSchema),
      expect_every: v.nullable(v.string()),
    }),
  ),
  endpoints: v.array(
    v.object({
      endpoint_id: v.string(),
      events: count,
      failed: count,
      dead_letter: count,
      last_at: v.nullable(isoTimeSchema),
      buckets: about(v.array(count), 'Events received.'),
    }),
  ),
});
