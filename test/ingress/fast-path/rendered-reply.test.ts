import { expect, test } from 'vitest';
import { connectionHeaders, renderReply } from '../../../src/ingress/fast-path/rendered-reply.ts';

const AT = Date.UTC(2026, 10, 22, 1, 2, 3);

test('the date is current, second by second', () => {
  const dateAt = (now: number) => /^Date: (.*)\r\n/.exec(connectionHeaders(now, 5))?.[1];
  expect(dateAt(AT)).toBe('Sun, 22 Nov 2026 01:02:03 GMT');
  expect(dateAt(AT + 999)).toBe('Sun, 22 Nov 2026 01:02:03 GMT');
  expect(dateAt(AT + 1000)).toBe('Sun, 22 Nov 2026 01:02:04 GMT');
  expect(dateAt(AT - 1)).toBe('Sun, 22 Nov 2026 01:02:02 GMT');
});

test('the Connection header says whether the connection stays', () => {
  expect(connectionHeaders(AT, 65)).toMatch(
    /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n$/,
  );
  expect(connectionHeaders(AT, null)).toMatch(/\r\nConnection: close\r\n\r\n$/);
});

test.each(['a\r\nx: y', 'a\nb', 'a\0b', 'a\u0100'])('no header can break its line: %j', (value) => {
  const reply = { status: 200, headers: ['content-type', value], body: '' };
  expect(() => renderReply(reply)).toThrow(/Invalid character in header/);
});
