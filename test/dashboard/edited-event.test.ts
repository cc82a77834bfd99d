import { describe, expect, test } from 'vitest';
import { MAX_EDIT_BYTES } from '../../src/core/limits.ts';
import {
  type EventForm,
  editOf,
  eventFormOf,
  lengthFault,
  unfitSignatures,
} from '../../src/dashboard/views/replay/edited-event.ts';

const TEXT = '{"id": 12345678901234567890}';

const EVENT = {
  method: 'POST',
  path: '/v1/orders',
  query: 'shop=1',
  raw_headers: [
    ['Content-Type', 'application/json'],
    ['Content-Length', '28'],
    ['X-Tag', 'a'],
    ['x-tag', 'b'],
  ] as [string, string][],
  text: TEXT as string | null,
  bytes: new TextEncoder().encode(TEXT),
};

const of = (text: string) => ({ ...EVENT, text, bytes: new TextEncoder().encode(text) });
const edit = (typed: Partial<EventForm>, event = EVENT) =>
  editOf(event, { ...eventFormOf(event), ...typed });

/** The headers of the form with other values at some names. */
function headers(changes: Record<string, string>): EventForm['headers'] {
  return eventFormOf(EVENT).headers.map((one) => ({
    ...one,
    value: changes[one.name] ?? one.value,
  }));
}

test('nothing is sent when nothing was typed', () => {
  expect(edit({})).toEqual({});
  expect(edit({}, of('a\r\nb\rc\nd'))).toEqual({});
});

test.each<[Partial<EventForm>, object]>([
  [{ method: 'PUT' }, { method: 'PUT' }],
  [{ path: '' }, { path: '' }],
  [{ query: 'shop=2' }, { query: 'shop=2' }],
  // A body goes as text, so that its numbers stay exact.
  [{ body: '{"id": 12345678901234567891}' }, { body: '{"id": 12345678901234567891}' }],
  [{ body: '' }, { body: '' }],
])('of %j, %j is sent', (typed, body) => {
  expect(edit(typed)).toEqual(body);
});

describe('headers', () => {
  const shown = eventFormOf(EVENT).headers;
  const without = (name: string) => shown.filter((one) => one.name !== name);

  test('the computed length is not there', () => {
    expect(shown.map(({ name }) => name)).toEqual(['Content-Type', 'X-Tag', 'x-tag']);
  });

  test.each<[string, EventForm['headers'], object | undefined]>([
    ['as they were', shown, undefined],
    ['one changed', headers({ 'Content-Type': 'text/plain' }), { 'Content-Type': 'text/plain' }],
    ['one of two of a name changed', headers({ 'x-tag': 'c' }), { 'X-Tag': ['a', 'c'] }],
    ['one of two of a name removed', without('x-tag'), { 'X-Tag': 'a' }],
    ['one removed', without('Content-Type'), { 'Content-Type': null }],
    ['one added', [...shown, { key: 9, name: 'x-new', value: '1' }], { 'x-new': '1' }],
    ['an empty row', [...shown, { key: 9, name: '', value: '' }], undefined],
    [
      'a name that objects have',
      [...shown, { key: 9, name: '__proto__', value: '1' }],
      JSON.parse('{"__proto__": "1"}'),
    ],
    ['another case', shown.map((one) => ({ ...one, name: one.name.toLowerCase() })), undefined],
  ])('%s', (_, rows, sent) => {
    expect(JSON.stringify(edit({ headers: rows }).headers)).toBe(JSON.stringify(sent));
  });

  test('a renamed one is removed and added', () => {
    const renamed = shown.map((one) => ({ ...one, name: one.name.replace('Type', 'Kind') }));
    expect(edit({ headers: renamed })).toEqual({
      headers: { 'Content-Type': null, 'Content-Kind': 'application/json' },
    });
  });
});

describe('the body', () => {
  test('keeps line breaks of one kind', () => {
    expect(edit({ body: 'a\nc' }, of('a\r\nb'))).toEqual({ body: 'a\r\nc' });
    expect(edit({ body: 'a\nc' }, of('a\nb'))).toEqual({ body: 'a\nc' });
    expect(edit({ body: 'a\nc\n' }, of('a\r\nb\n'))).toEqual({ body: 'a\nc\n' });
  });

  test('stays where it is binary or large', () => {
    expect(eventFormOf({ ...EVENT, text: null }).body).toBeNull();
    const most = MAX_EDIT_BYTES - 64 * 1024 - '""'.length;
    expect(eventFormOf(of('x'.repeat(most))).body).not.toBeNull();
    expect(eventFormOf(of('x'.repeat(most + 1))).body).toBeNull();
    // JSON escapes each quote.
    expect(eventFormOf(of('"'.repeat(most / 2))).body).not.toBeNull();
    expect(eventFormOf(of('"'.repeat(most / 2 + 1))).body).toBeNull();
  });

  test('is refused where the API would refuse its JSON', () => {
    const most = MAX_EDIT_BYTES - '{"body":""}'.length;
    expect(lengthFault({ body: 'x'.repeat(most) })).toBeNull();
    expect(lengthFault({ body: 'x'.repeat(most + 1) })).toContain('1 MiB');
    expect(lengthFault({ body: 'é'.repeat(most / 2 + 1) })).toContain('1 MiB');
  });
});

test('a signature no longer fits once the body changes, unless it changes too', () => {
  const pair: [string, string] = ['X-Hub-Signature-256', 'sha256=ab'];
  const event = { ...EVENT, raw_headers: [...EVENT.raw_headers, pair] };
  const form = eventFormOf(event);
  const signed = (value: string) =>
    form.headers.map((one) => (one.name === pair[0] ? { ...one, value } : one));
  expect(unfitSignatures(event, { ...form, path: '/v2' })).toEqual([]);
  expect(unfitSignatures(event, { ...form, body: '{}' })).toEqual([pair[0]]);
  expect(unfitSignatures(event, { ...form, body: '{}', headers: signed('sha256=cd') })).toEqual([]);
  expect(unfitSignatures(EVENT, { ...eventFormOf(EVENT), body: '{}' })).toEqual([]);
});
