import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { captureServer } from '../../fixtures/capture-server.ts';
import { post } from '../../fixtures/held-server.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { connect } from '../../fixtures/raw-connection.ts';
import { connectTls, localCertificate } from '../../fixtures/tls-connection.ts';

failOnLeaks();

const commit = async () => ({ stored: true, event: {}, response: null }) as never;

/** Acts like tracing tools: each new server gets one more listener. */
function addListenerToServers(module: typeof http | typeof https, event: string): () => number {
  let calls = 0;
  const { createServer } = module;
  const replaced = (...options: Parameters<typeof http.createServer>) =>
    (createServer as typeof http.createServer)(...options).on(event, () => calls++);
  const put = (value: unknown) => {
    (module as { createServer: unknown }).createServer = value;
    syncBuiltinESMExports();
  };
  put(replaced);
  onTestFinished(() => put(createServer));
  return () => calls;
}

test('with an unexpected listener of Node, Node reads every request', async () => {
  const calls = addListenerToServers(http, 'connection');
  const server = await captureServer({ commit });
  const connection = await connect(server.port);
  connection.send(post('/1'));
  expect(await connection.status()).toBe(200);
  expect(server.counts.taken).toBe(0);
  expect(calls()).toBe(1);
  expect(server.warnings).toEqual([
    [
      'the fast path is off: a capture takes three times the CPU',
      { reason: 'Node has 2 listeners for connection where one is expected' },
    ],
  ]);
});

test('with TLS, too', async () => {
  const calls = addListenerToServers(https, 'secureConnection');
  const certificate = localCertificate();
  const server = await captureServer({ commit, tls: certificate.tls });
  const { connection } = await connectTls(server.port, certificate);
  connection.send(post('/1'));
  expect(await connection.status()).toBe(200);
  expect(server.counts.taken).toBe(0);
  expect(calls()).toBe(1);
  expect(server.warnings).toHaveLength(1);
});

test.each([true, false])('a half-closed sender is answered; fast path: %s', async (fastPath) => {
  const server = await captureServer({ commit, fastPath });
  const connection = await connect(server.port);
  connection.socket.end(post('/1'));
  expect(await connection.status()).toBe(200);
  expect(server.counts.taken).toBe(fastPath ? 1 : 0);
  expect(server.warnings).toEqual([]);
});

test('connections handed to Node are counted by cause', async () => {
  const server = await captureServer({ commit });
  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', post('/1').replace('POST', 'GET')]) {
    const connection = await connect(server.port);
    connection.send(bytes);
    await connection.status();
  }
  const { route, unusual } = server.counts.handedOver;
  expect({ taken: server.counts.taken, route, unusual }).toEqual({
    taken: 0,
    route: 1,
    unusual: 1,
  });
});
