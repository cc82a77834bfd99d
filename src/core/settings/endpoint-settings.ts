import * as v from 'valibot';
import { ON_UNJUDGED } from '../judging/unjudged.ts';
import type { Dedupe } from '../proof/dedupe.ts';
import type { JudgingSettings } from '../rules/verdict.ts';
import { DAY_MS, MINUTE_MS } from '../text/duration.ts';
import { dedupeSchema } from './dedupe-schema.ts';
import { durationSchema } from './duration-schema.ts';
import { ENDPOINT_SETTING_DESCRIPTIONS as ABOUT } from './endpoint-setting-descriptions.ts';
import { nameSchema } from './name-schema.ts';
import { responseSchema } from './response-schema.ts';

/**
 * The settings of an endpoint. Its source is stored separately, because its secrets are sealed.
 * From this schema derive the API's inputs and answers, the OpenAPI document, the flags of
 * `hookrelay endpoints` and the page's types. The entries follow the rules of
 * `destination-settings.ts`.
 */
export const endpointSettingsSchema = v.object({
  name: nameSchema(200, ABOUT.name, 'orders'),
  is_active: v.optional(
    v.pipe(v.boolean('must be true or false'), v.description(ABOUT.is_active)),
    true,
  ),
  response: v.nullish(responseSchema, null),
  retention: v.nullish(
    durationSchema(ABOUT.retention, {
      leastMs: MINUTE_MS,
      mostMs: 3650 * DAY_MS,
      example: '30d',
    }),
    null,
  ),
  expect_every: v.nullish(
    durationSchema(ABOUT.expect_every, { leastMs: 1000, mostMs: 365 * DAY_MS, example: '15m' }),
    null,
  ),
  dedupe: v.nullish(v.pipe(dedupeSchema, v.description(ABOUT.dedupe)), null),
  on_unjudged: v.nullish(
    v.pipe(
      v.picklist(ON_UNJUDGED, `must be ${ON_UNJUDGED.join(' or ')}`),
      v.description(ABOUT.on_unjudged),
    ),
    'deliver',
  ),
});

type Chosen = v.InferOutput<typeof endpointSettingsSchema>;

/** The settings as stored, where `dedupe` also has its `since`. */
export type EndpointSettings = Omit<Chosen, 'dedupe'> & { dedupe: Dedupe | null };

export type EndpointSetting = keyof EndpointSettings;

/** The settings of a new endpoint. The empty name is a placeholder. */
export const DEFAULT_ENDPOINT_SETTINGS: Readonly<EndpointSettings> = {
  name: '',
  ...v.parse(v.omit(endpointSettingsSchema, ['name', 'dedupe']), {}),
  dedupe: null,
};

/** Whether verdicts depend on a setting. If so, `JudgingSettings` has it. */
const IS_READ_BY_VERDICTS: {
  readonly [K in EndpointSetting]: K extends keyof JudgingSettings ? true : false;
} = {
  name: false,
  is_active: false,
  response: false,
  retention: false,
  expect_every: false,
  dedupe: true,
  on_unjudged: false,
};

/** Returns whether verdicts may differ after a change. If so, `settings_version` grows. */
export function mayJudge(changed: Partial<EndpointSettings>): boolean {
  return (Object.keys(changed) as EndpointSetting[]).some((name) => IS_READ_BY_VERDICTS[name]);
}
