import { expect, test } from 'vitest';
import { replyWith } from '../../src/capture/reply.ts';

/* The API refuses such answers now; those that are stored go on. */

test.each([
  [204, []],
  [205, ['content-length', '0']],
  [304, []],
])('a stored answer with status %i is sent without the body that it has', (status, length) => {
  const reply = replyWith({ status, content_type: 'text/plain', body: 'not sent' }, 'evt_1');
  expect(reply).toMatchObject({ status, body: '' });
  expect(reply.headers.slice(reply.headers.indexOf('evt_1') + 1)).toEqual(length);
});

test('a stored redirect without a location is sent as it is', () => {
  const reply = replyWith({ status: 302, content_type: 'text/plain', body: 'over there' }, null);
  expect(reply).toMatchObject({ status: 302, body: 'over there' });
});
