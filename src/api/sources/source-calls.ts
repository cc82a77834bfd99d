import * as v from 'valibot';
import { SOURCE_HINTS } from '../../core/proof/source-hints.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { wholeNumber } from '../whole-number.ts';
import { sourcePatchSchema } from './source-schema.ts';

export const MOST_EVENTS = 1000;

export const providerSchema = v.object({
  name: v.string(),
  title: v.string(),
  verifies: about(v.boolean(), 'Whether a source may name it.'),
  signs: about(v.boolean(), 'Whether deliveries can be signed as it signs.'),
  signs_note: about(v.nullable(v.string()), 'What signing again cannot renew.'),
  fields: about(v.array(v.string()), 'Members of a source that it takes.'),
  dedupes_by: about(
    v.nullable(v.array(v.string())),
    'Paths of the values that stay when it sends a delivery again.',
  ),
  handshake: about(v.boolean(), 'Whether hookrelay answers its check of the URL.'),
  hint: about(v.nullable(v.string()), 'What a person should know about that check.'),
  secret: about(v.nullable(v.string()), 'Its term for the secret.'),
  secret_prefix: about(v.nullable(v.string()), 'How such a secret begins.'),
});

const hintSchema = v.object({
  code: v.picklist(SOURCE_HINTS),
  message: v.string(),
  secret: about(v.nullable(v.number()), 'The number of the secret, from 1.'),
  events: about(v.number(), 'The number of events that show it.'),
});

const checkSchema = strictObject({
  source: v.optional(sourcePatchSchema),
  last: v.optional(
    about(
      wholeNumber(MOST_EVENTS),
      `The number of newest events to check. Default: ${MOST_EVENTS}.`,
    ),
  ),
});

export const sourceCheckSchema = v.object({
  checked: v.number(),
  verified: v.number(),
  failed: about(v.record(v.string(), v.number()), 'Events by reason.'),
  skipped: about(
    v.number(),
    'Edited copies, unsigned checks of the URL, and events with bodies over 1 MiB, or with less where many secrets and URLs are tried. They count nowhere else.',
  ),
  ended_early: about(
    v.boolean(),
    'Whether the check ended after 10 s or 256 MiB of bodies, before the last of the events.',
  ),
  hints: about(v.array(hintSchema), 'What is wrong, as far as the events show.'),
});

export const SOURCE_CALLS = {
  'GET /api/providers': {
    summary: 'List the senders of webhooks that hookrelay knows, and what it can do with them',
    tag: 'sources',
    access: 'account-part',
    scope: 'read',
    response: v.array(providerSchema),
  },
  'POST /api/endpoints/{id}/source/check': {
    summary: 'Verify past events by a source, or by the present one; nothing is saved',
    tag: 'sources',
    access: 'endpoint',
    scope: 'read',
    audit: { unaudited: 'it counts events and changes nothing' },
    body: checkSchema,
    response: sourceCheckSchema,
  },
} as const satisfies Calls;
