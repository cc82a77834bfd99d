import * as v from 'valibot';
import { nameSchema } from './name-schema.ts';
import { ruleSchema } from './rule-schema.ts';

/**
 * What an owner chooses for a destination besides its URL and its secret. The
 * API's inputs and answers, the OpenAPI document, the flags of `hookrelay
 * destinations` and the page's types derive from this schema.
 *
 * An entry is `v.nullish(schema, default)`: `null`, and at creation also an
 * absent member, mean the default. A new value replaces the old one whole;
 * nothing is merged. The entry's description is the help text of its flag.
 * Objects inside an entry are `strictObject`s: unknown members are errors.
 */
export const destinationSettingsSchema = v.object({
  name: v.nullish(nameSchema(200, 'A label for people.', 'billing'), null),
  filter: v.nullish(
    ruleSchema(
      'A rule that events must fit, in text or as JSON. Without it, the destination gets every event.',
      'body.type=invoice.paid',
    ),
    null,
  ),
});

export type DestinationSettings = v.InferOutput<typeof destinationSettingsSchema>;

export const DEFAULT_DESTINATION_SETTINGS: Readonly<DestinationSettings> =
  v.getDefaults(destinationSettingsSchema);
