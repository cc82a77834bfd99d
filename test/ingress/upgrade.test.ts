import { describe, expect, test } from 'vitest';
import type { ClientLimits } from '../../src/ingress/client-limits.ts';
import { heldServer, post } from '../fixtures/held-server.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { connectTls, localCertificate } from '../fixtures/tls-connection.ts';

/*
 * A request that offers an upgrade is captured like any other, and is the last of
 * its connection: Node drops the bytes after it in the same chunk, and would
 * continue reading in the middle of the next request.
 */

failOnLeaks();

const UPGRADE = 'connection: Upgrade\r\nupgrade: websocket\r\n';
const SMUGGLED = post('/smuggled');

/** The next request: its head in the same chunk, its body in another. */
const [nextHead, nextBody] = [
  `POST /in/token/next HTTP/1.1\r\nhost: x\r\ncontent-length: ${SMUGGLED.length}\r\n\r\n`,
  SMUGGLED,
];

async function overTcp(limits: Partial<ClientLimits> = {}) {
  const server = await heldServer({ limits });
  return { server, open: () => connect(server.port) };
}

async function overTls(limits: Partial<ClientLimits> = {}) {
  const certificate = localCertificate();
  const server = await heldServer({ limits, tls: certificate.tls });
  return { server, open: async () => (await connectTls(server.port, certificate)).connection };
}

describe.each([
  ['TCP', overTcp],
  ['TLS', overTls],
])('over %s', (_, listening) => {
  test.each<[string, string, string[], number]>([
    ['with a body', post('/1', UPGRADE), ['/1'], 200],
    ['without one', `GET /in/token/1 HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`, ['/1'], 200],
    ['to h2c', post('/1', UPGRADE.replace('websocket', 'h2c')), ['/1'], 200],
    ['of the API', `GET /api HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`, [], 200],
    ['that is refused', `GET //x HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`, [], 400],
  ])(
    '%s is answered and closed, and nothing after it is read',
    async (__, bytes, paths, status) => {
      const { server, open } = await listening();
      const connection = await open();
      connection.send(bytes + nextHead);
      if (paths.length > 0) await server.reached(1);
      else await connection.status();
      connection.send(nextBody);
      const other = await open();
      other.send('GET /api HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      await other.closedByServer();
      server.letGo();
      await connection.closedByServer();
      expect(connection.statuses).toEqual([status]);
      expect(connection.received).toMatch(/\r\nconnection: close\r\n/i);
      expect(server.paths()).toEqual(paths);
    },
  );

  test('an incomplete body is refused as usual', async () => {
    const { server, open } = await listening({ requestTimeoutMs: 200, headersTimeoutMs: 200 });
    const connection = await open();
    connection.send(post('/1', UPGRADE).slice(0, -1));
    await connection.closedByServer();
    expect([connection.statuses, server.paths()]).toEqual([[408], []]);
  });

  test('after other requests, each is answered in turn', async () => {
    const { server, open } = await listening();
    const connection = await open();
    server.letGo();
    connection.send(post('/1'));
    expect(await connection.status()).toBe(200);
    connection.send(post('/2') + post('/3', UPGRADE) + post('/4') + nextHead);
    await connection.closedByServer();
    expect(connection.statuses).toEqual([200, 200, 200]);
    expect(server.paths()).toEqual(['/1', '/2', '/3']);
  });
});
