import * as v from 'valibot';
import { DAY_MS, spellDuration } from '../text/duration.ts';
import { durationSchema } from './duration-schema.ts';
import { nameSchema } from './name-schema.ts';
import { orderSchema } from './order-schema.ts';
import { rateSchema } from './rate-schema.ts';
import { retrySchema } from './retry-schema.ts';
import { ruleSchema } from './rule-schema.ts';
import { SETTING_DESCRIPTIONS as ABOUT } from './setting-descriptions.ts';
import { wholeNumber } from './whole-number.ts';

const SECOND_MS = 1000;
const MOST_CONCURRENCY = 256;
const HOLD_MS = 3 * DAY_MS;

const CONCURRENCY = `must be auto, or a whole number from 1 to ${MOST_CONCURRENCY}`;
const concurrency = v.union(
  [v.literal('auto', CONCURRENCY), wholeNumber(1, MOST_CONCURRENCY, CONCURRENCY)],
  CONCURRENCY,
);

/**
 * The settings of a destination. Its URL, secret and headers are stored separately. From this
 * schema derive the API's inputs and answers, the OpenAPI document, the flags of `hookrelay
 * destinations` and the page's types.
 *
 * An entry is `v.nullish(schema, default)`. Null gives the default, as an absent member does
 * at creation. A change replaces the whole value of an entry. Durations are text in the input and
 * ms in the output. An entry's description in `setting-descriptions.ts` is also the help of its
 * flag. Objects in an entry are `strictObject`s, so unknown members are errors.
 */
export const destinationSettingsSchema = v.object({
  name: v.nullish(nameSchema(200, ABOUT.name, 'billing'), null),
  filter: v.nullish(ruleSchema(ABOUT.filter, 'body.type=invoice.paid'), null),
  state: v.nullish(
    v.pipe(
      v.picklist(['active', 'paused', 'disabled'], 'must be active, paused or disabled'),
      v.description(ABOUT.state),
    ),
    'active',
  ),
  path: v.nullish(
    v.pipe(v.picklist(['append', 'ignore'], 'must be append or ignore'), v.description(ABOUT.path)),
    'append',
  ),
  timeout: v.nullish(
    durationSchema(ABOUT.timeout, { leastMs: SECOND_MS, mostMs: 60 * SECOND_MS, example: '10s' }),
    null,
  ),
  retry: v.nullish(retrySchema(ABOUT.retry), null),
  rate: v.nullish(rateSchema(ABOUT.rate), null),
  concurrency: v.nullish(v.pipe(concurrency, v.description(ABOUT.concurrency)), 'auto'),
  order_by: v.nullish(orderSchema(ABOUT.order_by), null),
  breaker: v.nullish(
    v.pipe(v.picklist(['on', 'off'], 'must be on or off'), v.description(ABOUT.breaker)),
    'on',
  ),
  /** Here null means for ever, not the default. */
  hold: v.optional(
    v.nullable(
      durationSchema(ABOUT.hold, { leastMs: SECOND_MS, mostMs: 365 * DAY_MS, example: '3d' }),
    ),
    spellDuration(HOLD_MS),
  ),
  sign_as: v.nullish(
    v.pipe(v.picklist(['provider'], 'must be provider or null'), v.description(ABOUT.sign_as)),
    null,
  ),
});

export type DestinationSettings = v.InferOutput<typeof destinationSettingsSchema>;
export type DestinationSetting = keyof DestinationSettings;

export const DEFAULT_DESTINATION_SETTINGS: Readonly<DestinationSettings> = v.parse(
  destinationSettingsSchema,
  {},
);

/**
 * Whether verdicts depend on a setting. Other changes leave the endpoint's verdicts valid
 * (`DestinationStore`). `state` counts, because replays judge only for enabled destinations.
 */
const READ_BY_VERDICTS: Readonly<Record<keyof DestinationSettings, boolean>> = {
  filter: true,
  order_by: true,
  state: true,
  name: false,
  path: false,
  timeout: false,
  retry: false,
  rate: false,
  concurrency: false,
  breaker: false,
  hold: false,
  sign_as: false,
};

/** Returns whether verdicts may differ after a change. */
export function changesVerdicts(before: DestinationSettings, after: DestinationSettings): boolean {
  const names = Object.keys(READ_BY_VERDICTS) as (keyof DestinationSettings)[];
  return names.some((name) => READ_BY_VERDICTS[name] && before[name] !== after[name]);
}
