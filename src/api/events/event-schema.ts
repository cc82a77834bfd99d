import * as v from 'valibot';
import { HOLD_REASONS } from '../../core/flow/waits-for.ts';
import { VERIFICATION_REASONS, VERIFICATION_STATE } from '../../core/proof/verification.ts';
import { about } from '../about.ts';
import { deliverySchema, unjudgedSchema } from '../deliveries/delivery-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pair } from '../pair.ts';
import { eventStatusSchema } from './event-filter-schema.ts';

export const eventListItemSchema = v.object({
  id: v.string(),
  status: eventStatusSchema,
  method: v.string(),
  received_at: isoTimeSchema,
});

const verificationSchema = v.object({
  state: v.picklist(VERIFICATION_STATE.names),
  provider: about(v.nullable(v.string()), 'The endpoint’s source at that time.'),
  secret: about(v.nullable(v.number()), 'The number of the secret that fitted, from 1.'),
  reason: v.nullable(v.picklist(VERIFICATION_REASONS)),
});

const failureSchema = about(
  v.nullable(v.object({ message: v.string(), hint: v.string() })),
  'Why the verification failed, and what to do, such as by how much the sender’s clock is off. ' +
    'Null for a request that didn’t fail.',
);

/** Members of a single event or rejected request that its summary lacks. */
const requestEntries = {
  verification_failure: failureSchema,
  query: v.string(),
  headers: v.record(v.string(), v.string()),
  raw_headers: v.array(pair(v.string())),
  body: v.unknown(),
  body_encoding: v.picklist(['json', 'text', 'base64', 'none']),
};

export const eventSummarySchema = v.object({
  ...eventListItemSchema.entries,
  endpoint_id: v.string(),
  path: v.string(),
  content_type: v.nullable(v.string()),
  size: v.number(),
  provider: v.nullable(v.string()),
  event_type: v.nullable(v.string()),
  source_ip: v.string(),
  attempts: about(v.number(), 'Attempts made since the latest replay to all destinations.'),
  response_code: about(v.nullable(v.number()), 'Code of the first attempt that got an answer.'),
  latency_ms: about(v.nullable(v.number()), 'Time from the receipt to the first success, ms.'),
  retries: about(v.number(), 'Retries of the delivery that had the most attempts.'),
  edited_from: about(v.nullable(v.string()), 'Id of the event that this is an edited copy of.'),
  verification: verificationSchema,
  duplicate_of: about(
    v.nullable(v.string()),
    'Id of the event that this repeats. A duplicate is not delivered.',
  ),
  duplicate_conflict: about(
    v.nullable(v.boolean()),
    'Whether the body differs from that event’s. Null for an event that is no duplicate.',
  ),
  unjudged: unjudgedSchema,
  delivery_counts: about(
    v.object({
      pending: about(v.number(), 'All open ones, also the held ones.'),
      held: about(
        v.number(),
        'Pending ones whose destination is paused or behind its breaker, or that wait for an ' +
          'earlier delivery of their key, a transform, or a person.',
      ),
      succeeded: v.number(),
      dead: v.number(),
      filtered: v.number(),
      cancelled: v.number(),
    }),
    'The newest delivery to each destination, counted by state.',
  ),
  held_by: about(
    v.nullable(
      v.object({
        destination_id: about(v.nullable(v.string()), 'Null for a one-off URL.'),
        name: about(v.string(), 'The destination’s name. Without one, its URL.'),
        waits_for: v.picklist(HOLD_REASONS),
      }),
    ),
    'The destination of the first held delivery, and what it waits for.',
  ),
});

export const eventSchema = v.object({
  ...eventSummarySchema.entries,
  ...requestEntries,
  deliveries: v.array(deliverySchema),
});

export const editedCopySchema = v.object({
  ...eventSchema.entries,
  warnings: about(
    v.optional(
      v.array(
        v.object({
          path: v.picklist(['destination_ids', 'headers']),
          code: v.picklist(['sign_as_left_out', 'not_verified', 'signature_mismatch']),
          message: v.string(),
          destination_id: about(v.optional(v.string()), 'Absent unless it is about one.'),
        }),
      ),
    ),
    'What the copy doesn’t reach, and why a receiver may refuse it. Absent without any.',
  ),
});

export const bodyChoiceSchema = v.object({
  body: v.optional(
    about(
      v.picklist(['true', 'false']),
      '`false` leaves out `body` and `body_encoding`, which never change.',
    ),
  ),
});

export const eventDetailSchema = v.object({
  ...eventSchema.entries,
  body: about(v.optional(v.unknown()), 'Absent with `body=false`.'),
  body_encoding: about(v.optional(requestEntries.body_encoding), 'Absent with `body=false`.'),
});

export const rejectedSchema = v.object({
  id: v.string(),
  method: v.string(),
  received_at: isoTimeSchema,
  path: v.string(),
  content_type: v.nullable(v.string()),
  size: v.number(),
  provider: v.nullable(v.string()),
  event_type: v.nullable(v.string()),
  source_ip: v.string(),
  verification: verificationSchema,
});

export const rejectedDetailSchema = v.object({ ...rejectedSchema.entries, ...requestEntries });
