import * as v from 'valibot';
import { HEALTH_STATE } from '../../core/flow/health.ts';
import {
  isSigningSecret,
  SIGNING_SECRET_PATTERN,
  SIGNING_SECRETS,
} from '../../core/secrets/signature.ts';
import { destinationSettingsSchema } from '../../core/settings/destination-settings.ts';
import { durationSchema } from '../../core/settings/duration-schema.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { isMasked, NOT_MASKED } from '../is-masked.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { warningsSchema } from '../warnings-schema.ts';
import { headersSchema } from './headers-schema.ts';

const MOST_OVERLAP_MS = 30 * 86_400_000;

const url = v.string('must be a string');

const secret = (pattern: string) =>
  v.pipe(
    v.string('must be a string'),
    v.minBytes(1, 'must not be empty'),
    v.maxBytes(256, 'must be at most 256 bytes'),
    v.check(isSigningSecret, SIGNING_SECRETS),
    v.metadata({
      description: `Signs the deliveries: 1 to 256 bytes as UTF-8; ${SIGNING_SECRETS}.`,
      minLength: 1,
      maxLength: 256,
      pattern,
    }),
  );

/** A new secret for a destination. Refuses a masked one. */
export const secretSchema = v.pipe(
  secret(`${NOT_MASKED}(?:${SIGNING_SECRET_PATTERN})`),
  v.check((text) => !isMasked(text), 'is masked; leave it out to keep the secret'),
);

/** Ignores unknown members, because the first version of the API did. */
export const newDestinationSchema = v.object({
  url,
  secret: v.optional(v.nullable(secret(SIGNING_SECRET_PATTERN))),
  headers: v.optional(v.nullable(headersSchema({ mayRemove: false }))),
  ...destinationSettingsSchema.entries,
});

export const destinationPatchSchema = strictObject({
  url: v.optional(url),
  secret: v.optional(v.nullable(secretSchema)),
  headers: v.optional(v.nullable(headersSchema({ mayRemove: true }))),
  ...v.partial(destinationSettingsSchema).entries,
});

export const rotationSchema = strictObject({
  secret: v.optional(secretSchema),
  overlap: v.optional(
    durationSchema('How long the present secret signs too.', {
      leastMs: 0,
      mostMs: MOST_OVERLAP_MS,
      example: '24h',
    }),
    '24h',
  ),
});

const giveUpOn = v.optional(v.array(v.union([v.number(), v.string()])));

export const healthSchema = v.object({
  state: v.picklist(HEALTH_STATE.names),
  since: v.nullable(isoTimeSchema),
  consecutive_failures: v.number(),
  next_probe_at: v.nullable(isoTimeSchema),
});

export const waitingSchema = about(
  v.object({
    count: v.number(),
    at_least: v.boolean(),
    oldest_at: v.nullable(isoTimeSchema),
  }),
  'Open deliveries, exact to 10,000; beyond that, at_least is true.',
);

const warnings = warningsSchema(
  ['secret', 'url', 'name', 'sign_as'],
  ['weak_secret', 'same_url', 'same_name', 'signs_note'],
);

/** A destination in an answer. Durations are text. */
export const destinationSchema = v.object({
  id: v.string(),
  url: v.string(),
  secret: about(v.optional(v.string()), 'Masked. Absent without a secret.'),
  previous_expires_at: about(
    v.optional(isoTimeSchema),
    'Until then, the secret before the rotation signs too. Absent without a rotation.',
  ),
  headers: about(
    v.nullable(v.record(v.string(), v.string())),
    'Names and masked values; null without headers.',
  ),
  ...destinationSettingsSchema.entries,
  filter: v.nullable(v.union([v.string(), v.looseObject({})])),
  timeout: v.nullable(v.string()),
  retry: v.nullable(
    v.union([
      v.object({
        attempts: v.number(),
        base: v.string(),
        factor: v.number(),
        max: v.string(),
        give_up_on: giveUpOn,
      }),
      v.object({ schedule: v.array(v.string()), give_up_on: giveUpOn }),
    ]),
  ),
  hold: v.nullable(v.string()),
  created_at: isoTimeSchema,
  health: healthSchema,
  waiting: waitingSchema,
});

export const savedDestinationSchema = v.object({
  ...destinationSchema.entries,
  warnings,
});

export const rotatedSchema = v.object({
  secret: about(
    v.optional(v.string()),
    'The secret that the server made. No other answer shows it.',
  ),
  previous_expires_at: v.nullable(isoTimeSchema),
  warnings,
});
