import { describe, expect, test } from 'vitest';
import { callApi } from '../fixtures/account.ts';
import { type HeldServer, heldServer, idsOf, post } from '../fixtures/held-server.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect, type RawConnection } from '../fixtures/raw-connection.ts';
import { connectTls, localCertificate } from '../fixtures/tls-connection.ts';

/*
 * A sender sends captures, and something bad after them, before it reads the
 * answers. Each stored capture gets its answer, in turn. Then the bad request gets
 * its own, and the connection closes.
 */

failOnLeaks();

const TEN = Array.from({ length: 10 }, (_, i) => `/${i}`);
const GOOD = TEN.map((path) => post(path)).join('');
const TEN_TIMES_200 = TEN.map(() => 200);
/** Whether captures may be read without `node:http`. */
const READERS = [
  ['read by Node', { fastPath: false }],
  ['ordinary where they can be', {}],
] as const;

interface Opened {
  server: HeldServer;
  open(): Promise<RawConnection>;
}
type Listening = (options: Parameters<typeof heldServer>[0]) => Promise<Opened>;

const overTcp: Listening = async (options) => {
  const server = await heldServer(options);
  return { server, open: () => connect(server.port) };
};
const overTls: Listening = async (options) => {
  const certificate = localCertificate();
  const server = await heldServer({ ...options, tls: certificate.tls });
  return { server, open: async () => (await connectTls(server.port, certificate)).connection };
};

/** Resolves when the server has read earlier bytes of other connections. */
async function seen({ server, open }: Opened): Promise<void> {
  const other = await open();
  other.send('GET /api HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await other.closedByServer();
  expect([server.paths().length, other.statuses]).toEqual([server.paths().length, [200]]);
}

async function expectTenAnswers(
  { server }: Opened,
  connection: RawConnection,
  last: number[],
  from = 0,
): Promise<void> {
  await connection.closedByServer();
  expect(connection.statuses).toEqual([...TEN_TIMES_200, ...last]);
  expect(new Set(idsOf(connection)).size).toBe(10);
  expect(server.paths().slice(from)).toEqual(TEN);
}

describe.each([
  ['TCP', overTcp],
  ['TLS', overTls],
] as const)('over %s', (_, listening) => {
  describe.each(READERS)('%s', (__, reader) => {
    test.each<[string, string, number[]]>([
      ['what is no request', 'BAD\r\n\r\n', [400]],
      ['a head over the limit', `GET /x HTTP/1.1\r\na: ${'b'.repeat(20_000)}`, [431]],
      [
        'a body of broken chunks',
        `${post('').split('\r\n')[0]}\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
        [400],
      ],
      ['a request with two Hosts', 'GET /in/token HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n', [400]],
      ['two bad requests', 'BAD\r\n\r\nBAD\r\n\r\n', [400]],
    ])('ten captures, then %s', async (___, bad, answers) => {
      const opened = await listening(reader);
      const connection = await opened.open();
      connection.send(GOOD + bad);
      await opened.server.reached(1);
      await seen(opened);
      expect(connection.received).toBe('');
      opened.server.letGo();
      await expectTenAnswers(opened, connection, answers);
    });

    test('for every border between two chunks', async () => {
      const opened = await listening(reader);
      const bytes = `${GOOD}BAD\r\n\r\n`;
      for (let at = 1; at < bytes.length; at += 29) {
        opened.server.hold();
        const before = opened.server.paths().length;
        const connection = await opened.open();
        connection.send(bytes.slice(0, at));
        await seen(opened);
        connection.send(bytes.slice(at));
        await seen(opened);
        opened.server.letGo();
        await expectTenAnswers(opened, connection, [400], before);
      }
    });

    test('a half-closed sender gets its answers', async () => {
      for (const [bad, answers] of [
        ['', []],
        ['BAD\r\n\r\n', [400]],
        ['POST /in/token HTTP/1.1\r\nhost: x\r\ncontent-le', [400]],
        [post('').slice(0, -1), [400]],
      ] as const) {
        const opened = await listening(reader);
        const connection = await opened.open();
        connection.socket.end(GOOD + bad);
        await opened.server.reached(1);
        await seen(opened);
        opened.server.letGo();
        await expectTenAnswers(opened, connection, [...answers]);
      }
    });
  });
});

describe.each(READERS)('%s', (_, reader) => {
  test('after a request that is the last, nothing is read', async () => {
    const opened = await overTcp(reader);
    const connection = await opened.open();
    const last = post('/9', 'connection: close\r\n');
    connection.send(
      `${TEN.slice(0, 9)
        .map((path) => post(path))
        .join('')}${last}BAD\r\n\r\n`,
    );
    await opened.server.reached(1);
    opened.server.letGo();
    await expectTenAnswers(opened, connection, []);
  });

  test('half a request that never continues is refused after the earlier answers', async () => {
    const opened = await overTcp({ ...reader, limits: { headersTimeoutMs: 200 } });
    const connection = await opened.open();
    const half = 'POST /in/token HTTP/1.1\r\n';
    connection.send(GOOD + half);
    await opened.server.reached(1);
    // This connection has the same limit, began later, and has passed it.
    const other = await opened.open();
    other.send(half);
    await other.closedByServer();
    expect([connection.received, other.statuses]).toEqual(['', [408]]);
    opened.server.letGo();
    await expectTenAnswers(opened, connection, [408]);
  });

  test('a sender that leaves without its answers leaves nothing behind', async () => {
    const opened = await overTcp(reader);
    const connection = await opened.open();
    connection.send(`${GOOD}BAD\r\n\r\n`);
    await opened.server.reached(1);
    connection.socket.resetAndDestroy();
    await seen(opened);
    opened.server.letGo();
    expect((await callApi(opened.server, 'GET', '/api')).status).toBe(200);
    expect(opened.server.errors).toEqual([]);
  });
});
