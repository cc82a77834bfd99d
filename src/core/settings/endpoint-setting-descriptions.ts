/**
 * Describes each setting of an endpoint, for the schema and for the flags of the command line. See
 * `setting-descriptions.ts`.
 */
export const ENDPOINT_SETTING_DESCRIPTIONS = {
  name: 'The endpoint’s name.',
  is_active: 'Whether the endpoint captures. A paused endpoint answers 404.',
  response: 'The answer to senders; null for hookrelay’s own.',
  retention: 'How long events are kept; null for the server’s retention.',
  expect_every: 'Longest time without an event before an issue opens; null for no limit.',
  dedupe:
    'Delivers repeated requests once. `provider` recognises them by the provider’s delivery id, ' +
    'a list of paths by the values there. Requests from before this change don’t count.',
  on_unjudged:
    'What happens to events whose bodies filters cannot judge: `deliver` sends them, `hold` keeps their deliveries for a retry by hand.',
} as const;
