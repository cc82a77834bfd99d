import { describe, expect, it } from 'vitest';
import { answering, attempts, flood, OK, post, receiver } from '../receivers.ts';

const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const LARGE_HINT = `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(10_000)}\r\n\r\n`;
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
/**
 * Most bytes that leave the receiver's memory: one write, and what the sockets of
 * both sides buffer.
 */
const SENT_AT_MOST_BYTES = 32 * 1024 * 1024;

/** A receiver that floods, and the bytes written when its connections are closed. */
async function flooding(head: string, piece: string) {
  const written: number[] = [];
  const target = await receiver((socket) => {
    socket.on('close', () => written.push(socket.bytesWritten));
    flood(socket, head, piece);
  });
  return { ...target, written };
}

describe('a flood', () => {
  it.each([
    ['informational responses', '', HINT, 'more than 10,000 informational responses (1xx)'],
    ['large ones', '', LARGE_HINT, 'more than 1 MiB'],
    ['an endless reason phrase', 'HTTP/1.1 200 ', 'a', 'more than 1 MiB'],
    ['empty lines', '', '\r\n', 'more than 1 MiB'],
  ])('of %s ends its attempt', async (_what, head, piece, message) => {
    const target = await flooding(head, piece);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({
      responseCode: null,
      responseBody: null,
      error: { code: 'response_flood', message: expect.stringContaining(message) },
      // The destination gets one slot, as after a timeout.
      timedOut: true,
    });
    await expect.poll(() => target.written).toHaveLength(1);
    expect(target.written[0]).toBeLessThan(SENT_AT_MOST_BYTES);
  });

  it.each([
    ['chunk extensions', `${CHUNKED}2\r\nok\r\n1;`, 'a'],
    ['trailers', `${CHUNKED}2\r\nok\r\n0\r\n`, 'x: y\r\n'],
  ])('of %s after a 2xx is a success with a truncated body', async (_what, head, piece) => {
    const target = await flooding(head, piece);
    // The deadline is after the end of the test, so it can't end the attempt.
    const outcome = await attempts()(post(target.origin), { timeoutMs: 600_000 });
    expect(outcome).toMatchObject({
      responseCode: 200,
      responseBody: 'ok',
      responseTruncated: true,
      error: null,
    });
  });

  it('of chunk extensions after a 500 has its status and the reason', async () => {
    const target = await flooding(`${CHUNKED.replace('200 OK', '500 No')}1;`, 'a');
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: 500, error: { code: 'response_flood' } });
  });

  it('uses little processor time, where ten seconds would use all of it', async () => {
    const target = await flooding('', HINT);
    const attempt = attempts();
    await attempt(post(target.origin));
    const before = process.cpuUsage();
    await attempt(post(target.origin), { timeoutMs: 10_000 });
    const { user, system } = process.cpuUsage(before);
    // CPU time of both sides, µs. Without the limit it is all of the machine's for
    // ten seconds.
    expect(user + system).toBeLessThan(1_000_000);
  });
});

describe('informational responses', () => {
  it.each([
    [10_000, { responseCode: 200, error: null }],
    [10_001, { responseCode: null, error: { code: 'response_flood' } }],
  ])('may be %i before the final one', async (count, expected) => {
    const target = await answering(HINT.repeat(count) + OK);
    expect(await attempts()(post(target.origin))).toMatchObject(expected);
  });

  it('are counted per request, not per connection', async () => {
    const hints = HINT.repeat(6000) + LARGE_HINT.repeat(60);
    const target = await answering(hints + OK);
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    for (let i = 0; i < 4; i++) {
      expect(await attempt(post(target.origin))).toMatchObject({ responseCode: 200 });
    }
    expect(target.connections).toBe(1);
  });
});

describe('a status', () => {
  it.each([
    ['101, with no upgrade', 'HTTP/1.1 101 Switching\r\n\r\n', '(101)'],
    ['101, half an upgrade', 'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\n\r\n', '(101)'],
    ['101, and then another', `HTTP/1.1 101 Switching\r\ncontent-length: 0\r\n\r\n${OK}`, '(101)'],
    ['000', 'HTTP/1.1 000 None\r\n\r\n', '(000)'],
    ['099', 'HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n', '(099)'],
  ])('of %s is a named error', async (_what, response, named) => {
    const target = await answering(response);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({
      responseCode: null,
      responseBody: null,
      error: { code: 'invalid_response', message: expect.stringContaining(named) },
      timedOut: false,
    });
  });

  it.each([600, 999])('of %i is recorded', async (status) => {
    const target = await answering(`HTTP/1.1 ${status} High\r\ncontent-length: 0\r\n\r\n`);
    const outcome = await attempts()(post(target.origin));
    expect(outcome).toMatchObject({ responseCode: status, error: null });
  });
});
