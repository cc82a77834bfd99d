import * as v from 'valibot';
import { ruleSchema } from '../../core/settings/rule-schema.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { wholeNumber } from '../whole-number.ts';

const MAX_EVENTS = 10_000;

export const DEFAULT_EVENTS = 1000;

/** Enough for `MAX_EVENTS` ids and a rule. */
const MAX_BODY_BYTES = 512 * 1024;

const trySchema = v.pipe(
  strictObject({
    filter: v.optional(
      v.nullable(
        ruleSchema(
          'The rule to try, in text or as JSON. Null fits every event. Default: the destination’s present one.',
          'body.type=invoice.paid',
        ),
      ),
    ),
    transform: v.optional(v.null('transforms are not implemented yet')),
    destination_id: v.optional(
      about(v.string('must be a string'), 'The destination whose present rule is compared.'),
    ),
    last: v.optional(
      about(
        wholeNumber(MAX_EVENTS),
        `The number of newest events to try. Default: ${DEFAULT_EVENTS}.`,
      ),
    ),
    event_ids: v.optional(
      v.pipe(
        v.array(v.string('must be a string'), 'must be a list of event ids'),
        v.maxLength(MAX_EVENTS, `must be at most ${MAX_EVENTS} event ids`),
        v.description('The events to try, instead of `last`.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ filter, destination_id }) => filter !== undefined || destination_id !== undefined,
      'is missing, and no destination_id names a destination whose rule can be tried',
    ),
    ['filter'],
  ),
  v.forward(
    v.check(
      ({ last, event_ids }) => last === undefined || event_ids === undefined,
      'can’t be combined with last: name the events, or how many',
    ),
    ['event_ids'],
  ),
);

export const outcome = v.picklist(['matched', 'dropped']);

export const trialSchema = v.object({
  tried: v.number(),
  matched: v.number(),
  dropped: v.number(),
  failed: v.number(),
  changed: v.array(v.object({ event_id: v.string(), before: outcome, after: outcome })),
  changed_total: v.number(),
  samples: v.array(
    v.object({
      event_id: v.string(),
      output: outcome,
      error: v.optional(v.string()),
      logs: v.array(v.string()),
      diff: v.null(),
    }),
  ),
});

export const RULE_TRIAL_CALLS = {
  'POST /api/endpoints/{id}/rules/try': {
    summary: 'Try a rule on past events; nothing is saved or delivered',
    tag: 'rules',
    access: 'endpoint',
    scope: 'read',
    audit: { unaudited: 'it counts events and changes nothing' },
    body: trySchema,
    maxBodyBytes: MAX_BODY_BYTES,
    response: trialSchema,
  },
} as const satisfies Calls;
