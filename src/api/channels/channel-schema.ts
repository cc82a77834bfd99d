import * as v from 'valibot';
import { emailSchema } from '../../accounts/credentials.ts';
import { CHANNEL_TYPES } from '../../core/channels/channel.ts';
import { ISSUE_KIND } from '../../core/issues/issue.ts';
import { SHOWN_STATES } from '../../core/model.ts';
import { isMaskedUrl } from '../../core/secrets/masked-url.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { healthSchema, secretSchema } from '../destinations/destination-schema.ts';
import { endpointIdsSchema } from '../id-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { oneOf } from '../one-of.ts';

const url = v.pipe(
  v.string('must be a string'),
  v.check((text) => !isMaskedUrl(text), 'is masked; leave url out to keep it'),
  v.metadata({
    description: 'An http or https URL. The rules for destinations apply.',
    pattern: '^(?![\\s\\S]*/\\*{8}$)',
  }),
);

const to = emailSchema;

const kinds = v.nullish(
  v.pipe(
    v.array(oneOf(ISSUE_KIND.names), 'must be a list of kinds of issues'),
    v.minLength(1, 'must name at least one kind'),
    v.maxLength(ISSUE_KIND.names.length, 'must name each kind once'),
    v.check((all) => new Set(all).size === all.length, 'must name each kind once'),
    v.metadata({
      description: 'Only issues of these kinds; null for all.',
      uniqueItems: true,
    }),
  ),
);

const endpointIds = v.nullish(
  about(
    endpointIdsSchema,
    'The channel gets messages of issues at these endpoints only; null for all.',
  ),
);
const filters = { kinds, endpoint_ids: endpointIds };

const secret = about(
  v.nullish(secretSchema),
  'Signs the messages (Standard Webhooks). Without one, the server makes it.',
);

export const newChannelSchema = v.variant(
  'type',
  [
    strictObject({ type: v.literal('webhook'), url, secret, ...filters }),
    strictObject({ type: v.literal('slack'), url, ...filters }),
    strictObject({ type: v.literal('email'), to, ...filters }),
  ],
  `must be ${CHANNEL_TYPES.join(', ')}`,
);

export const channelPatchSchema = strictObject({
  url: v.optional(url),
  to: v.optional(about(to, 'Another address, or the same to send a new confirmation.')),
  secret,
  ...filters,
});

export const channelSchema = v.object({
  id: v.string(),
  type: v.picklist(CHANNEL_TYPES),
  url: about(
    v.optional(v.string()),
    'Of webhook and slack. That of slack is masked: its origin and ********.',
  ),
  to: about(v.optional(v.string()), 'Of email.'),
  secret: about(v.optional(v.string()), 'Of webhook. Masked, except in the answer that makes it.'),
  kinds: v.nullable(v.array(v.picklist(ISSUE_KIND.names))),
  endpoint_ids: v.nullable(v.array(v.string())),
  confirmed: about(v.boolean(), 'False while an email address is unconfirmed.'),
  created_at: isoTimeSchema,
  last_delivery: about(
    v.nullable(
      v.object({
        id: v.string(),
        state: v.picklist(SHOWN_STATES),
        at: isoTimeSchema,
        attempts: v.number(),
        error: v.nullable(v.object({ code: v.string(), message: v.string() })),
        next_attempt_at: v.nullable(isoTimeSchema),
      }),
    ),
    'The newest message and its delivery.',
  ),
  health: healthSchema,
});

export const testedSchema = v.object({
  message_id: about(v.string(), 'The channel’s `last_delivery` shows its state.'),
});
