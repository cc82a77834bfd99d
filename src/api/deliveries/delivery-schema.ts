import * as v from 'valibot';
import { HEALTH_STATE } from '../../core/flow/health.ts';
import { WAIT_REASONS } from '../../core/flow/waits-for.ts';
import { UNJUDGED_REASON } from '../../core/judging/unjudged.ts';
import { SHOWN_STATES, TRIGGER } from '../../core/model.ts';
import { about } from '../about.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pair } from '../pair.ts';

const headerPairs = v.nullable(v.array(pair(v.string())));
const errorSchema = v.nullable(v.object({ code: v.string(), message: v.string() }));

const destinationEntries = {
  destination_id: about(
    v.nullable(v.string()),
    'Null for a replay to a URL that is no destination.',
  ),
  destination_url: v.string(),
};

export const unjudgedSchema = about(
  v.nullable(v.object({ reason: v.picklist(UNJUDGED_REASON.names) })),
  'Why hookrelay could not judge a filter or a key by the body: the body has too many values, or the judging takes too long. Null if it judged all.',
);

const waitingEntries = {
  next_attempt_at: about(
    v.nullable(isoTimeSchema),
    'Null for a closed delivery, while paused, while the breaker is open, behind another delivery of the same order key, and while a person decides about an event that could not be judged.',
  ),
  waits_for: about(
    v.nullable(v.picklist(WAIT_REASONS)),
    'What an open delivery waits for; null for one that is due or under way.',
  ),
  unjudged: unjudgedSchema,
};

export const deliverySchema = v.object({
  id: v.string(),
  ...destinationEntries,
  trigger: v.picklist(TRIGGER.names),
  state: v.picklist(SHOWN_STATES),
  attempts: v.number(),
  ...waitingEntries,
});

export const listedDeliverySchema = v.object({
  id: v.string(),
  event_id: v.string(),
  ...destinationEntries,
  state: v.picklist(SHOWN_STATES),
  attempts: v.number(),
  error: about(errorSchema, 'Why the last attempt failed, or why the delivery died without one.'),
  created_at: isoTimeSchema,
  ...waitingEntries,
});

export const attemptSchema = v.object({
  id: v.string(),
  attempt: v.number(),
  probe: about(v.boolean(), 'Whether the attempt probed a destination whose breaker was open.'),
  rule_version: about(
    v.nullable(v.number()),
    'Version of the destination’s rule. Null for attempts of an older hookrelay.',
  ),
  request_headers: about(
    headerPairs,
    'Names and values as sent, the first 16 KiB; values of the destination’s headers are masked. Null where nothing was sent, and for attempts of an older hookrelay.',
  ),
  response_code: v.nullable(v.number()),
  response_headers: about(
    headerPairs,
    'Names and values in order, with case and duplicates. Null without a response, and for attempts of an older hookrelay.',
  ),
  response_body: v.nullable(v.string()),
  response_truncated: v.boolean(),
  attempted_at: isoTimeSchema,
  duration_ms: v.number(),
  error: errorSchema,
  next_attempt_at: v.nullable(isoTimeSchema),
  trigger: v.picklist(TRIGGER.names),
  delivery_id: v.string(),
  ...destinationEntries,
  destination_health: about(
    v.nullable(v.picklist(HEALTH_STATE.names)),
    'The destination’s health since this attempt; null where it didn’t change.',
  ),
});
