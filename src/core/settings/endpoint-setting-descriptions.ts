/**
 * What each setting of an endpoint means. `endpoint-settings.ts` describes its schema with it,
 * and the command line its flags: see `setting-descriptions.ts`.
 */
export const ENDPOINT_SETTING_DESCRIPTIONS = {
  name: 'The endpoint’s name.',
  is_active: 'Whether it captures. A paused endpoint answers 404.',
  response: 'Its own answer to senders; null for hookrelay’s.',
  retention: 'How long events are kept; null for as long as the server keeps them.',
  expect_every: 'Longest time without an event before an issue opens; null for any.',
  dedupe:
    'Delivers repeated requests once. `provider`: by the delivery id that the provider gives; ' +
    'otherwise by the values at these paths. Keys count from this change.',
  on_unjudged:
    'What becomes of events whose bodies filters cannot judge: `deliver` sends them, `hold` keeps their deliveries for a retry by hand.',
} as const;
