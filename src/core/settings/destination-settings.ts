import * as v from 'valibot';
import { nameSchema } from './name-schema.ts';
import { ruleSchema } from './rule-schema.ts';
import { SETTING_DESCRIPTIONS } from './setting-descriptions.ts';

/**
 * What an owner chooses for a destination besides its URL and its secret. The
 * API's inputs and answers, the OpenAPI document, the flags of `hookrelay
 * destinations` and the page's types derive from this schema.
 *
 * An entry is `v.nullish(schema, default)`: `null`, and at creation also an
 * absent member, mean the default. A new value replaces the old one whole;
 * nothing is merged. The entry's description in `setting-descriptions.ts` is the help
 * text of its flag.
 * Objects inside an entry are `strictObject`s: unknown members are errors.
 */
export const destinationSettingsSchema = v.object({
  name: v.nullish(nameSchema(200, SETTING_DESCRIPTIONS.name, 'billing'), null),
  filter: v.nullish(ruleSchema(SETTING_DESCRIPTIONS.filter, 'body.type=invoice.paid'), null),
});

export type DestinationSettings = v.InferOutput<typeof destinationSettingsSchema>;

export const DEFAULT_DESTINATION_SETTINGS: Readonly<DestinationSettings> =
  v.getDefaults(destinationSettingsSchema);
