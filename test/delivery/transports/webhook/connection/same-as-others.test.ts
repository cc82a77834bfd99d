import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Client } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, attempts, post } from '../../../receivers.ts';

/**
 * Plays generated answers to the client, to undici and to Node, and compares what each makes of
 * them. A failure names the seed.
 */

/** An answer, as the pieces that a receiver writes. It then ends the connection. */
type Answer = readonly string[];

/** What a client made of an answer. `cut`: a status came, but the body is not complete. */
interface Outcome {
  is: 'whole' | 'cut' | 'none';
  status?: number;
  headers?: string[];
  body?: string;
}

const played: Answer[] = [];
/**
 * Answers a request to `/n` with the pieces of the answer `n`, and ends the connection. Answers one
 * to `/n/kept` with the answer as one piece, and one to `/n/next` by `own n`. Both keep the
 * connection.
 */
const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const [, n, then] = /^POST \/(\d+)(?:\/(\w+))? /.exec(chunk.toString('latin1')) ?? [];
    // A body that came on its own.
    if (n === undefined) return;
    const pieces = [...(played[Number(n)] as Answer)];
    if (then === 'kept') socket.write(pieces.join(''), 'latin1');
    if (then === 'next') socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n${ownOf(n)}`);
    if (then) return;
    const next = () => {
      const piece = pieces.shift();
      if (piece === undefined) socket.end();
      else socket.write(piece, 'latin1', () => setImmediate(next));
    };
    next();
  });
});
const ownOf = (n: number | string) => `own ${n}`.padEnd(8);
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as net.AddressInfo).port;
});
afterAll(() => server.close());

const seen = (status: number, raw: readonly string[], text: string, isWhole: boolean): Outcome => {
  // Node drops the blanks at the end of a value.
  const headers = raw.map((text) => text.replace(/[\t ]+$/, ''));
  const body = Buffer.from(text, 'latin1').toString('utf8');
  return isWhole ? { is: 'whole', status, headers, body } : { is: 'cut', status };
};

const to = (path: string) => post(`http://127.0.0.1:${port}`, { path });

async function byUs(attempt: Attempt, n: number): Promise<Outcome> {
  const outcome = await attempt({ ...to(`/${n}`), isAlone: true });
  const { responseCode, responseHeaders, responseBody, responseTruncated } = outcome ?? {};
  if (typeof responseCode !== 'number') return { is: 'none' };
  return seen(
    responseCode,
    responseHeaders?.flat() ?? [],
    Buffer.from(responseBody ?? '').toString('latin1'),
    !responseTruncated,
  );
}

function byUndici(n: number): Promise<Outcome> {
  const client = new Client(`http://127.0.0.1:${port}`, { maxHeaderSize: 16 * 1024 });
  return new Promise<Outcome>((resolve) => {
    let [status, headers, body] = [0, [] as string[], ''];
    client.dispatch(
      { path: `/${n}`, method: 'POST', body: 'hello' },
      {
        onRequestStart() {},
        onResponseStart(controller, code) {
          if (code < 200) return;
          status = code;
          headers = (controller.rawHeaders as Buffer[]).map((text) => text.toString('latin1'));
        },
        onResponseData(_controller, chunk) {
          body += chunk.toString('latin1');
        },
        onResponseEnd: () => resolve(seen(status, headers, body, true)),
        onResponseError: () => resolve(status ? { is: 'cut', status } : { is: 'none' }),
      },
    );
  }).finally(() => client.destroy());
}

function byNode(n: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = http.request({ port, path: `/${n}`, method: 'POST', agent: false });
    request.on('error', () => resolve({ is: 'none' }));
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ is: 'none' });
    });
    request.on('response', (response) => {
      let body = '';
      const { statusCode = 0, rawHeaders } = response;
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1');
      });
      response.on('error', () => {});
      response.on('close', () => resolve(seen(statusCode, rawHeaders, body, response.complete)));
    });
    request.end('hello');
  });
}

/** Answers that the client refuses, or doesn't take as whole, although undici takes them. */
const STRICTER = {
  'a CR without an LF': /\r(?!\n)/,
  'a status line of RTSP or ICE': /(?:^|[\r\n])(?:RTSP|ICE)\//,
  'a status line or a chunk’s line over 16 KiB': /[^\n]{16385}/,
  'a length beside an empty coding': /transfer-encoding:[\t ]*\r\n/i,
  'a size over 2⁵³': /[0-9a-f]{14}/i,
  'the trailer Transfer-Encoding': /\r\n0+\r\n(?:[^\r\n]+\r\n)*transfer-encoding:/i,
  'a chunk extension without a name': /\r\n[0-9a-f]+(?:;[^\r\n]*)?;=/i,
};
/** Answers that undici doesn't take as whole. It counts a blank as a part of the length. */
const LAXER = /content-length: *\d+ +\r\n/i;

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
/** Mostly `usual`, and sometimes one of the others. */
const mostly = (usual: string, ...others: string[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: pick(...others) },
  );
const eol = mostly('\r\n', '\n', '\r', '\r\r\n', ' \r\n', '');
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));

const version = mostly('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2', 'RTSP/1.0', 'x');
const status = mostly('200', '204', '205', '304', '404', '500', '600', '099', '20', '2000', '101');
const reason = mostly(' OK', '', ' ', ' \xff\0', '\tOK', ` ${'r'.repeat(17_000)}`);
const headerLine = fc.oneof(
  { weight: 6, arbitrary: pick('server: nginx', 'X-A: b', 'x-a:c', 'x-e:', 'x-w: \tv w \t') },
  { weight: 2, arbitrary: pick('connection: close', 'Connection: keep-alive, x', 'upgrade: h2c') },
  { weight: 1, arbitrary: pick(' folded', '\tfolded', 'no colon', 'a : b', ': v', 'a(: b') },
  { weight: 1, arbitrary: pick('a: \0', 'a: \x7f', 'a: \xff', '\xe9: a', 'keep-alive: timeout=9') },
  { weight: 1, arbitrary: pick(9000, 16_370, 20_000).map((size) => `x: ${'v'.repeat(size)}`) },
);
const framing = fc.oneof(
  { weight: 8, arbitrary: pick('content-length: 5', 'Transfer-Encoding: chunked', '') },
  {
    weight: 2,
    arbitrary: pick(
      ...['content-length: 4', 'content-length: 6', 'content-length: 5 ', 'content-length: 5\t'],
      ...['content-length: 005', 'content-length: +5', 'content-length:', 'content-length: 5, 5'],
      ...['content-length: 9007199254740993', 'content-length: 99999999999999999999'],
      ...['transfer-encoding: gzip, chunked', 'transfer-encoding: chunked, gzip'],
      ...['transfer-encoding: identity', 'transfer-encoding: xchunked', 'transfer-encoding:'],
      ...['transfer-encoding: chunked\t', 'transfer-encoding: ,chunked', 'content-length : 5'],
    ),
  },
);
const head = (code: fc.Arbitrary<string>) =>
  fc
    .tuple(
      joined(version, pick(' ', ' ', ' ', ' ', '  '), code, reason, eol),
      fc.array(joined(fc.oneof(headerLine, framing), eol), { maxLength: 4 }),
      joined(framing, eol),
      fc.oneof({ weight: 3, arbitrary: fc.constant('') }, joined(framing, eol)),
      eol,
    )
    // A head without framing has an empty line at its end alone.
    .map(([line, headers, first, second, end]) => {
      const lines = [...headers, first, second].filter((text) => text.trim() !== '');
      return line + lines.join('') + end;
    });
const informational = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: pick('HTTP/1.1 103 x\r\nlink: a\r\n\r\n', 'HTTP/1.1 102\r\n\r\n') },
  { weight: 1, arbitrary: head(pick('100', '101', '103', '199', '000')) },
  { weight: 1, arbitrary: pick('\r\n', '\n\n', '\r', ' ') },
);
const extension = mostly(
  '',
  ...[';a', ';a=b', ';a="b c\\";"', ';a;b=c', ';', ';=b', '; a=b', ';a=b c', ';a="b', ' ;a', ' '],
  ...[';a="b"c', ';a=b=c', ';\xff', ';a="\0"', `;${'a'.repeat(17_000)}`],
);
const chunk = fc.oneof(
  { weight: 6, arbitrary: joined(pick('5', '05', '5'), extension, eol, fc.constant('hello'), eol) },
  {
    weight: 1,
    arbitrary: pick(
      ...['2\r\nhello\r\n', 'A\r\n0123456789\r\n', 'a\r\n\r\n\r\nabcdef\r\n', 'x\r\n', '\r\n'],
      ...['20000000000001\r\nhello', 'fffffffffffffffff\r\nhello', '-5\r\nhello', '0x5\r\nhello'],
    ),
  },
);
const trailer = mostly(
  '',
  ...['x: y\r\n', 'x: y\n', 'x y\r\n', ' folded\r\n', 'content-length: 5\r\n'],
  ...['Transfer-Encoding: chunked\r\n', 'connection: close\r\n', `x: ${'v'.repeat(17_000)}\r\n`],
);
const chunks = fc
  .tuple(
    fc.array(chunk, { maxLength: 3 }),
    joined(mostly('0', '00', '0;a', ''), eol, trailer, trailer, eol),
  )
  .map(([all, last]) => all.join('') + last);
const body = fc.oneof(
  { weight: 4, arbitrary: pick('hello', 'hello', 'h\xc3\xa4llo', 'hell', '') },
  { weight: 4, arbitrary: chunks },
);
const second = mostly('', '\r\n', 'x', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nextra');

const bytes = joined(informational, head(status), body, second);
const answer: fc.Arbitrary<Answer> = fc
  .tuple(bytes, fc.array(fc.nat(), { maxLength: 4 }), mostly('whole', 'early'))
  .map(([text, places, end]) => {
    const cuts = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
    const edges = [0, ...cuts, ...(end === 'whole' ? [text.length] : [])];
    return edges.slice(1).map((edge, i) => text.slice(edges[i], edge));
  });

/** Returns why the outcomes may not differ like this; null if they may. */
function fault(text: string, ours: Outcome, undicis: Outcome, nodes: Outcome): string | null {
  if (ours.is === 'whole' && nodes.is === 'whole' && !isDeepStrictEqual(ours, nodes)) {
    return 'not as Node';
  }
  if (isDeepStrictEqual(ours, undicis)) return null;
  if (ours.is === 'whole') {
    return LAXER.test(text) && undicis.is === 'cut' ? null : 'not as undici';
  }
  if (undicis.is !== 'whole') return ours.is === 'none' ? null : 'more than undici';
  return Object.values(STRICTER).some((form) => form.test(text)) ? null : 'less than undici';
}

/** Answers that are compared. */
const ANSWERS = 400;
/** Answers that are played at once. */
const AT_ONCE = 20;
/** Long enough for a local exchange. An answer without an end waits for it. */
const SHORT_MS = 100;

/** Generates answers, and plays them. Returns the seed, which repeats a failure. */
async function eachAnswer(count: number, play: (n: number, pieces: Answer) => Promise<void>) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const answers = fc.sample(answer, { numRuns: count, seed });
  let next = 0;
  const work = async () => {
    while (next < answers.length) {
      const n = next++;
      const pieces = answers[n] as Answer;
      played[n] = pieces;
      await play(n, pieces);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return seed;
}

test('an answer is read as undici and Node read it, or more strictly', async () => {
  const attempt = attempts();
  const kinds = new Set<string>();
  const faults: unknown[] = [];
  const seed = await eachAnswer(ANSWERS, async (n, pieces) => {
    const [ours, undicis, nodes] = await Promise.all([byUs(attempt, n), byUndici(n), byNode(n)]);
    kinds.add(ours.is);
    const found = fault(pieces.join(''), ours, undicis, nodes);
    if (found) faults.push({ found, pieces, ours, undicis, nodes });
  });
  expect(faults.slice(0, 3), `seed ${seed}`).toEqual([]);
  expect([...kinds].sort()).toEqual(['cut', 'none', 'whole']);
});

test('no byte of an answer reaches the next request', async () => {
  const faults: unknown[] = [];
  const seed = await eachAnswer(ANSWERS / 2, async (n, pieces) => {
    const attempt = attempts({ maxConnectionsPerOrigin: 1 });
    await attempt(to(`/${n}/kept`), { timeoutMs: SHORT_MS });
    const own = await attempt(to(`/${n}/next`));
    if (own?.responseBody !== ownOf(n)) faults.push({ pieces, own });
    await attempt.destroy();
  });
  expect(faults.slice(0, 3), `seed ${seed}`).toEqual([]);
});
