/**
 * What each setting of a destination means. `destination-settings.ts` describes its
 * schema with it, and the command line its flags. The flags can't take it from the
 * schema: the schema checks rules, and loads a regex engine that `--help` needn't.
 */
export const SETTING_DESCRIPTIONS = {
  name: 'A label for people.',
  filter:
    'A rule that events must fit, in text or as JSON. Without it, the destination gets every event.',
} as const;
