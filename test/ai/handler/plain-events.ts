import type { AiEvent } from '../../../src/ai/event-input.ts';
import { capturedEvent, composed } from '../ai-events.ts';
import { githubForm, slackInteraction } from '../form-samples.ts';

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

const FORM = ['content-type', 'application/x-www-form-urlencoded'];

/** Forms with and without JSON in the field `payload`. */
const FORMS: Record<string, string> = {
  'JSON in a form': 'payload=%7B%22type%22%3A%22order.paid%22%7D&v=2',
  'an array in a form': 'payload=%5B%7B%22id%22%3A1%7D%2C%7B%22id%22%3Anull%7D%5D',
  'a number in a form': 'payload=5&type=order.paid',
  'two payloads in a form': 'payload=%7B%7D&payload=%7B%7D',
};

/** One event of each shape, from an unknown sender and from Stripe, whose events have types. */
export function plainEvents(): { name: string; event: AiEvent }[] {
  const plain = Object.entries(BODIES).flatMap(([name, body]) => [
    { name, event: capturedEvent(['content-type', 'application/json'], body) },
    { name: `${name}, of Stripe`, event: capturedEvent(['stripe-signature', 'x'], body) },
  ]);
  const forms = Object.entries(FORMS).flatMap(([name, body]) => [
    { name, event: capturedEvent(FORM, body) },
    { name: `${name}, of Stripe`, event: capturedEvent([...FORM, 'stripe-signature', 'x'], body) },
  ]);
  const inForms = [githubForm, slackInteraction].map((sample) => {
    const { headers, body } = composed(sample);
    return { name: `${sample.name} in a form`, event: capturedEvent(headers, body) };
  });
  return [...plain, ...forms, ...inForms];
}
