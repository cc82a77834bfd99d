import type { Random } from './random.ts';
import type { RequestPatch } from './world.ts';

/*
 * Random requests and rules over the same few words, so that rules fit some requests.
 * Bodies come in every encoding that rules see through: JSON, JSON in escapes, forms,
 * JSON in a form's `payload`, text, bytes.
 */

const WORDS = [
  'invoice.paid',
  'push',
  'café',
  'a b&c=d',
  '日本',
  '50%',
  'quote"',
  'new\nline',
  '😀',
];
const NAMES = ['type', 'customer', 'naïve', 'a.b'];
const FORM = 'application/x-www-form-urlencoded';

export function randomRequest(random: Random): RequestPatch {
  const document = randomDocument(random);
  const json = JSON.stringify(document);
  const patch = {
    method: random.pick(['POST', 'PUT']),
    path: random.pick(['', '/v1', '/v2']),
    query: random.pick(['', 'a=push', 'a=b&a=push']),
    rawHeaders: ['X-Kind', random.pick(WORDS.slice(0, 2))],
    provider: random.pick([null, 'stripe', 'github', 'twilio']),
    contentType: 'application/json',
  };
  const eventType = patch.provider === 'github' ? random.pick(['push', 'ping']) : null;
  const inForm = (text: string) => ({ ...patch, eventType, contentType: FORM, body: text });
  switch (random.below(8)) {
    case 0:
      return { ...patch, eventType, body: inAscii(json) };
    case 1:
      return inForm(new URLSearchParams(fieldsOf(document)).toString());
    case 2:
      return inForm(`x=1&payload=${encodeURIComponent(random.chance(0.5) ? json : inAscii(json))}`);
    case 3:
      // Every character encoded, as no browser does.
      return inForm(`payload=${everyByte(json)}`);
    case 4:
      return { ...patch, eventType, contentType: 'text/plain', body: random.pick(WORDS) };
    case 5:
      return { ...patch, eventType, body: Buffer.concat([Buffer.of(0xff), Buffer.from(json)]) };
    case 6:
      // Large enough to be stored compressed.
      return { ...patch, eventType, body: `${' '.repeat(20_000)}${inAscii(json)}` };
    default:
      return { ...patch, eventType, body: json };
  }
}

/** A rule in its text form. */
export function randomRule(random: Random): string {
  const conditions = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random));
  return conditions.join(random.chance(0.7) ? ' and ' : ' or ');
}

function randomCondition(random: Random): string {
  const path = random.chance(0.8)
    ? `body.${quoted(random.pick(NAMES))}`
    : random.pick(['body', 'body.list[*].type', 'body.list[0].customer', 'form.customer']);
  const word = random.pick(WORDS);
  const part = word
    .slice(0, 1 + random.below(word.length))
    .toWellFormed()
    .replaceAll('\ufffd', '');
  switch (random.below(10)) {
    case 0:
      return `${path}*=${JSON.stringify(part)}`;
    case 1:
      return `${path}^=${JSON.stringify(part)}`;
    case 2:
      return `${path}$=${JSON.stringify(word.at(-1)?.isWellFormed() ? word.slice(-2).toWellFormed().replaceAll('\ufffd', '') : word)}`;
    case 3:
      return `${path} in (${random
        .some(WORDS, 0.4)
        .concat('x')
        .map((one) => JSON.stringify(one))
        .join(', ')})`;
    case 4:
      return `not (${path}=${JSON.stringify(word)})`;
    case 5:
      return `${path}!=${JSON.stringify(word)}`;
    case 6:
      return random.pick([
        `${path}?`,
        'method=PUT',
        'path^=/v',
        'query.a=push',
        'size>40',
        'header.x-kind=push',
      ]);
    case 7:
      return random.pick([
        'type=push',
        'type=invoice.paid',
        'type=message',
        'provider=stripe',
        'type?',
      ]);
    case 8:
      return `(${path}=${JSON.stringify(word)} or ${path}=${JSON.stringify(random.pick(WORDS))})`;
    default:
      return `${path}=${JSON.stringify(word)}`;
  }
}

function randomDocument(random: Random): Record<string, unknown> {
  const names = random.some(NAMES, 0.6);
  const value = () => (random.chance(0.8) ? random.pick(WORDS) : random.pick([1, true, null]));
  return {
    ...Object.fromEntries(names.map((name) => [name, value()])),
    ...(random.chance(0.3) && { MessageSid: 'SM1', AccountSid: 'AC1' }),
    ...(random.chance(0.5) && { list: [{ type: value() }, { customer: value() }] }),
    // Most documents differ in the grams of the index.
    noise: `n${random.below(1_000_000)}`,
  };
}

const quoted = (name: string) => JSON.stringify(name);

/** The same JSON with an escape for every character that isn't ASCII. */
const inAscii = (json: string) =>
  json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const everyByte = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

function fieldsOf(document: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
