import { expect, test } from 'vitest';
import type { EventDetail } from '../../src/dashboard/text/event-answer.ts';
import { toHar } from '../../src/dashboard/views/event/to-har.ts';

const EVENT = {
  id: 'evt_1',
  method: 'POST',
  path: '/a',
  query: 'x=1&x=%20',
  received_at: '2026-11-21T10:00:00.000Z',
  content_type: 'text/plain',
  raw_headers: [
    ['X-Double', 'one'],
    ['X-Double', 'two'],
  ],
  bytes: new TextEncoder().encode('caf\u00e9'),
  text: 'caf\u00e9',
} as unknown as EventDetail;

test('a HAR has the request as captured', () => {
  const { log } = JSON.parse(toHar(EVENT, 'https://hooks.example.com/in/t'));
  expect(log.version).toBe('1.2');
  const [{ request, startedDateTime }] = log.entries;
  expect(startedDateTime).toBe('2026-11-21T10:00:00.000Z');
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://hooks.example.com/in/t/a?x=1&x=%20',
    headers: [
      { name: 'X-Double', value: 'one' },
      { name: 'X-Double', value: 'two' },
    ],
    queryString: [
      { name: 'x', value: '1' },
      { name: 'x', value: ' ' },
    ],
    bodySize: 5,
    postData: { mimeType: 'text/plain', text: 'caf\u00e9' },
  });
});

test('a HAR has binary bodies as base64, and no empty body', () => {
  const entry = (event: EventDetail) => JSON.parse(toHar(event, 'http://h/in/t')).log.entries[0];
  const binary = entry({ ...EVENT, bytes: new Uint8Array([0, 255]), text: null });
  expect(binary.request.postData).toMatchObject({ text: 'AP8=', encoding: 'base64' });
  expect(entry({ ...EVENT, bytes: new Uint8Array(0), text: '' }).request.postData).toBeUndefined();
});
