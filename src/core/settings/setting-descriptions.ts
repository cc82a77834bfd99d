/**
 * Describes each setting of a destination, for the schema (`destination-settings.ts`) and for the
 * flags of the command line. The flags don't read the schema, because it loads a regex engine,
 * which would slow down `--help`.
 */
export const SETTING_DESCRIPTIONS = {
  name: 'A label for people.',
  filter:
    'A rule that events must fit, in text or as JSON. Without it, the destination gets every event.',
  state:
    'active: events are delivered; paused: events make deliveries, which wait; disabled: new events make no deliveries, and open ones wait.',
  path: "append: the event's path and query follow the URL; ignore: the URL as it is.",
  timeout: "Deadline of an attempt; without it, the server's deadline.",
  retry:
    'When hookrelay retries a failed delivery: after a growing delay, or by a schedule; without it, the server’s policy. give_up_on names the statuses at which a delivery dies at once.',
  rate: 'Most attempts that may start in any second, minute or hour.',
  concurrency: 'Most attempts at once; auto finds what the receiver can take.',
  order_by:
    'One delivery at a time for each value at this path, such as body.customer.id, in the order of capture; * for one at a time in total.',
  breaker: 'on: after many failures, deliveries wait until a probe succeeds; off: they never wait.',
  hold: 'How long an open breaker may hold a delivery back before it dies; null: for ever.',
  sign_as:
    "provider: hookrelay signs each attempt of a verified event as its provider does, with the endpoint's secrets and the attempt's time; without it, hookrelay passes on the sender's signature.",
} as const;
