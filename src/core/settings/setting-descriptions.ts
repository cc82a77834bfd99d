/**
 * What each setting of a destination means. `destination-settings.ts` describes its
 * schema with it, and the command line its flags. The flags can't take it from the
 * schema: the schema checks rules, and loads a regex engine that `--help` needn't.
 */
export const SETTING_DESCRIPTIONS = {
  name: 'A label for people.',
  filter:
    'A rule that events must fit, in text or as JSON. Without it, the destination gets every event.',
  state:
    'active; paused: events make deliveries, which wait; disabled: new events make none, open ones wait.',
  path: "append: the event's path and query follow the URL; ignore: the URL as it is.",
  timeout: "Deadline of an attempt; without it, the server's.",
  retry:
    'When a failed delivery is tried again: a growing delay, or a schedule; without it, the server’s policy. give_up_on names the statuses at which a delivery dies at once.',
  rate: 'Most attempts that start in any second, minute or hour.',
  concurrency: 'Most attempts at once; auto finds what the receiver can take.',
  order_by:
    'One delivery at a time for each value at this path, such as body.customer.id, in the order of capture; * for all.',
  breaker: 'on: after many failures, deliveries wait until a probe succeeds; off: never.',
  hold: 'How long an open breaker may hold a delivery back before it dies; null: for ever.',
  sign_as:
    "provider: each attempt of a verified event is signed as its provider signs, with the endpoint's secrets and the attempt's time; without it, the sender's own signature is passed on.",
} as const;
