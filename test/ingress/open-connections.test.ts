import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientNetwork } from '../../src/core/http/client-network.ts';
import { capture, register } from '../fixtures/account.ts';
import { heldServer, post } from '../fixtures/held-server.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect, RawConnection } from '../fixtures/raw-connection.ts';
import { runServer, type TestServer } from '../fixtures/running-server.ts';
import { connectTls, localCertificate } from '../fixtures/tls-connection.ts';
import { until } from '../fixtures/until.ts';

/*
 * One client cannot take all connections: each address has a share, and those
 * that are idle longest make room for new ones.
 */

failOnLeaks();

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** Connects from another address of this machine. */
async function connectFrom(localAddress: string, port: number): Promise<RawConnection> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  const connection = new RawConnection(socket);
  onTestFinished(() => connection.end());
  await once(socket, 'connect');
  return connection;
}

async function ask(connection: RawConnection): Promise<RawConnection> {
  const answers = connection.statuses.length;
  connection.send(HEALTH);
  expect(await connection.status(answers + 1)).toBe(200);
  return connection;
}

/** A connection that is answered, or closed unread. */
async function answered(connection: RawConnection): Promise<boolean> {
  connection.send(HEALTH);
  return (await connection.status().catch(() => 0)) === 200;
}

const warnings = ({ logged }: TestServer) =>
  logged.filter(({ fields }) => 'limit' in fields).map(({ message, fields }) => [message, fields]);

test('an address past its share loses its longest idle connection; others keep theirs', async () => {
  const server = await runServer({ maxConnections: 100, maxConnectionsPerAddress: 3 });
  const other = await ask(await connectFrom('127.0.0.2', server.port));
  const [first, second, third] = [
    await ask(await connect(server.port)),
    await ask(await connect(server.port)),
    await ask(await connect(server.port)),
  ];
  // Now the second has been idle longest.
  await ask(first);
  const fourth = await ask(await connect(server.port));
  await second.closedByServer();
  for (const connection of [first, third, fourth, other]) await ask(connection);
  expect(warnings(server)).toEqual([
    [
      'idle connections are closed to make room for new ones',
      { limit: '--max-connections-per-address 3', client: '127.0.0.1', count: 1 },
    ],
  ]);
});

test('a full server closes the longest idle connection of all addresses', async () => {
  const server = await heldServer({ connectionCaps: { max: 3, perAddress: 3 } });
  const idle = await ask(await connectFrom('127.0.0.2', server.port));
  const held = [await ask(await connect(server.port)), await ask(await connect(server.port))];
  const next = await ask(await connectFrom('127.0.0.3', server.port));
  await idle.closedByServer();
  for (const connection of [...held, next]) await ask(connection);
  expect(server.warnings[0]?.[1]).toMatchObject({ limit: '--max-connections 3' });
});

test('connections with no request, or half a head, are idle', async () => {
  const server = await heldServer({ connectionCaps: { max: 2, perAddress: 2 } });
  const silent = await connect(server.port);
  const half = await connect(server.port);
  half.send('POST /in/x HTTP/1.1\r\nhost:');
  for (let i = 0; i < 5; i++) await ask(await connect(server.port));
  await Promise.all([silent.closedByServer(), half.closedByServer()]);
  expect([silent.received, half.received]).toEqual(['', '']);
});

test('busy connections are kept, and new ones are closed unread, until some end', async () => {
  const server = await heldServer({ connectionCaps: { max: 10, perAddress: 3 } });
  const busy = [await connect(server.port), await connect(server.port), await connect(server.port)];
  busy[0]?.send(post('/ordinary'));
  busy[1]?.send(post('/pipelined') + post('/2'));
  busy[2]?.send('GET /in/token/node HTTP/1.1\r\nhost: x\r\n\r\n');
  await server.reached(3);
  for (let i = 0; i < 3; i++) expect(await answered(await connect(server.port))).toBe(false);
  expect(await answered(await connectFrom('127.0.0.2', server.port))).toBe(true);
  expect(server.warnings).toEqual([
    [
      'new connections are refused: all open ones are busy',
      { limit: '--max-connections-per-address 3', client: '127.0.0.1', count: 1 },
    ],
  ]);
  server.letGo();
  for (const connection of busy) expect(await connection.status()).toBe(200);
  expect(await busy[1]?.status(2)).toBe(200);
  expect(await answered(await connect(server.port))).toBe(true);
});

test('a connection that its sender closes frees its place', async () => {
  const server = await heldServer({ connectionCaps: { max: 2, perAddress: 2 } });
  const busy = [await connect(server.port), await connect(server.port)];
  for (const connection of busy) connection.send(post('/1'));
  await server.reached(2);
  busy[0]?.socket.resetAndDestroy();
  await until('there is room again', async () => answered(await connect(server.port)));
  server.letGo();
  expect(await busy[1]?.status()).toBe(200);
});

test('over TLS the same holds, even before the handshake', async () => {
  const certificate = localCertificate();
  const server = await heldServer({
    tls: certificate.tls,
    connectionCaps: { max: 10, perAddress: 2 },
  });
  const bare = await connect(server.port);
  const first = await connectTls(server.port, certificate);
  server.letGo();
  first.connection.send(post('/1'));
  expect(await first.connection.status()).toBe(200);
  const second = await connectTls(server.port, certificate);
  await bare.closedByServer();
  second.connection.send(post('/2'));
  expect(await second.connection.status()).toBe(200);
  const third = await connectTls(server.port, certificate);
  await first.connection.closedByServer();
  third.connection.send(post('/3'));
  expect(await third.connection.status()).toBe(200);
});

test('a trusted proxy has no share, as it brings many clients', async () => {
  const server = await runServer({
    maxConnections: 100,
    maxConnectionsPerAddress: 2,
    trustProxy: ['127.0.0.2'],
  });
  const proxied = [];
  for (let i = 0; i < 6; i++) proxied.push(await ask(await connectFrom('127.0.0.2', server.port)));
  for (const connection of proxied) await ask(connection);
  expect(warnings(server)).toEqual([]);
});

test('an attacker with endless connections keeps no other client out', async () => {
  const server = await runServer({ maxConnections: 40, maxConnectionsPerAddress: 10 });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => connectFrom(`127.0.1.${1 + (i % 6)}`, server.port)),
    );
    await capture(endpoint.capture_url);
  }
  expect((await account.list(endpoint)).total).toBe(5);
  // Logged once in a while, not for each.
  expect(warnings(server).length).toBeLessThanOrEqual(4);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
