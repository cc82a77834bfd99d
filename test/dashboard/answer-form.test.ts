import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import { replyWith } from '../../src/capture/reply.ts';
import {
  answerFormOf,
  answerOf,
  doubledNames,
  hasBody,
  kindOf,
  withKind,
} from '../../src/dashboard/views/endpoint/answer-form.ts';
import { answerPreview } from '../../src/dashboard/views/endpoint/answer-lines.ts';
import { statusLine } from '../../src/dashboard/views/endpoint/status-line.ts';

const USUAL = answerFormOf(null);

describe('a form', () => {
  test.each([
    null,
    { status: 202, content_type: 'text/plain', body: 'thanks', headers: { 'X-A': 'b' } },
    { status: 200, content_type: null, body: '', headers: {} },
    { status: 204, content_type: null, body: '', headers: { location: '/x' } },
    { status: 302, content_type: null, body: '', headers: { location: '/x', 'retry-after': '1' } },
    { status: 303, content_type: 'text/plain', body: 'there', headers: { location: '/x' } },
  ])('gives back the answer %# that it shows', (answer) => {
    expect(answerOf(answerFormOf(answer))).toEqual(answer);
  });

  test('of another kind has its status, and what fits it', () => {
    const text = { ...withKind(USUAL, 'text'), body: 'hello' };
    expect(answerOf(text)).toMatchObject({ status: 200, content_type: 'application/json' });
    const empty = withKind(text, 'empty');
    expect([kindOf(empty), hasBody(empty)]).toEqual(['empty', false]);
    expect(answerOf(empty)).toEqual({ status: 204, content_type: null, body: '', headers: {} });
    expect(answerOf(withKind(empty, 'text'))?.body).toBe('hello');
    const redirect = { ...withKind(empty, 'redirect'), location: ' /thanks ' };
    expect(answerOf(redirect)).toEqual({
      ...{ status: 302, content_type: null, body: '' },
      headers: { location: '/thanks' },
    });
    expect(answerOf({ ...redirect, status: '200' })?.headers).toEqual({});
    expect(answerOf(withKind(redirect, 'usual'))).toBeNull();
  });

  test('names the headers that are there twice', () => {
    const headers = ['X-A', 'x-b', ' x-a ', ''].map((name, key) => ({ key, name, value: '' }));
    expect(doubledNames({ ...withKind(USUAL, 'text'), headers })).toEqual(['x-a']);
  });
});

test('a status line is the server’s', () => {
  for (let status = 200; status < 600; status++) {
    expect(statusLine(status)).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}`);
  }
});

test.each([
  { status: 200, content_type: 'text/plain', body: 'é' },
  { status: 200, content_type: null, body: '' },
  { status: 204, content_type: null, body: '' },
  { status: 205, content_type: null, body: '' },
  { status: 308, content_type: null, body: '', headers: { location: '/x', 'X-A': 'b' } },
])('a preview, case %#, has what the server sends', (answer) => {
  const preview = answerPreview(answerFormOf(answer));
  const headers = Object.entries('headers' in answer ? (answer.headers ?? {}) : {}).flat();
  const reply = replyWith({ ...answer, headers }, 'evt_…');
  const sent = Array.from(
    { length: reply.headers.length / 2 },
    (_, i) => `${reply.headers[2 * i]}: ${reply.headers[2 * i + 1]}`,
  );
  const [line, ...own] = preview.own;
  expect(line).toMatch(new RegExp(`^HTTP/1.1 ${answer.status} `));
  expect([...own, ...preview.fixed].sort()).toEqual(sent.sort());
  expect(preview.body ?? '').toBe(reply.body);
});
