import * as v from 'valibot';
import { ENDPOINT_SETTING_DESCRIPTIONS as ABOUT } from '../../core/settings/endpoint-setting-descriptions.ts';
import { endpointSettingsSchema } from '../../core/settings/endpoint-settings.ts';
import { about } from '../about.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { newSourceSchema, sourcePatchSchema, sourceSchema } from '../sources/source-schema.ts';
import { warningsSchema } from '../warnings-schema.ts';

/** Has no `is_active`, because a new endpoint is active. */
export const newEndpointSchema = v.object({
  ...v.omit(endpointSettingsSchema, ['is_active']).entries,
  source: v.optional(v.nullable(newSourceSchema)),
});

export const endpointPatchSchema = v.object({
  ...v.partial(endpointSettingsSchema).entries,
  source: v.optional(v.nullable(sourcePatchSchema)),
});

const shownResponse = v.object({
  status: v.number(),
  content_type: about(v.nullable(v.string()), 'Null if the answer has no body.'),
  body: v.string(),
  headers: about(
    v.optional(v.record(v.string(), v.string())),
    'Absent unless the endpoint sets headers of its own.',
  ),
});
const shownDedupe = v.object({ by: v.union([v.literal('provider'), v.array(v.string())]) });

const plain = v.omit(endpointSettingsSchema, ['name', 'is_active', 'dedupe', 'on_unjudged']);

/** An endpoint in an answer. Durations are text. */
export const endpointSchema = v.object({
  id: v.string(),
  name: v.string(),
  public_token: v.string(),
  is_active: v.boolean(),
  created_at: isoTimeSchema,
  capture_url: v.string(),
  ...plain.entries,
  response: about(v.nullable(shownResponse), ABOUT.response),
  retention: about(
    v.nullable(v.string()),
    'A duration; null for as long as the server keeps events.',
  ),
  expect_every: about(
    v.nullable(v.string()),
    'A duration; an issue opens when no event comes for longer. Null opens none.',
  ),
  source: about(v.nullable(sourceSchema), 'Who sends to it, and how requests prove it.'),
  dedupe: about(
    v.nullable(shownDedupe),
    'How repeated requests are recognised; null where all are delivered.',
  ),
  on_unjudged: v.unwrap(endpointSettingsSchema.entries.on_unjudged),
  guessed: about(v.nullable(v.string()), 'The provider that recent events look like.'),
});

export const savedEndpointSchema = v.object({
  ...endpointSchema.entries,
  warnings: warningsSchema(['name'], ['same_name']),
});
