import type { AiEvent } from '../../../src/ai/event-input.ts';
import { capturedEvent } from '../ai-events.ts';

/** Bodies of each shape that types treat specially. */
const BODIES: Record<string, string> = {
  null: 'null',
  nothing: '',
  'an empty object': '{}',
  'an empty array': '[]',
  'a byte order mark': '\ufeff{"a":1}',
  NDJSON: '{"type":"order.paid","n":1}\n{"type":"order.sent","n":null}\n',
  'NDJSON of arrays': '[1]\n["a"]',
  nulls: '{"a":null,"b":[null],"c":{"d":null},"e":[{"f":null},{}]}',
  'empty objects': '{"a":{},"b":[{}],"c":[{"d":1},{}]}',
  dates: '{"by_day":{"2026-11-20":{"n":1},"2026-11-21":{"n":2,"m":null}}}',
  'a payload of ids': '{"1":{"name":"x"},"2":{"name":null}}',
  kinds: '{"type":"order.paid","action":null,"event":{"type":"message"}}',
  'items of many kinds': '[{"event":"open"},{"event":"click"},{"event":7},{}]',
};

/** One event of each shape, from an unknown sender and from Stripe, whose events have types. */
export function plainEvents(): { name: string; event: AiEvent }[] {
  return Object.entries(BODIES).flatMap(([name, body]) => [
    { name, event: capturedEvent(['content-type', 'application/json'], body) },
    { name: `${name}, of Stripe`, event: capturedEvent(['stripe-signature', 'x'], body) },
  ]);
}
