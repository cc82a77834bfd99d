import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { HookrelayError } from '../core/errors.ts';
import { answerClientError } from './client-error.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';
import { Reception, type ReceptionOptions } from './reception.ts';

/** Longest interval at which Node checks its timeouts, ms. Node's default is 30 s. */
const CHECK_INTERVAL_MS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Interval at which idle connections are closed during a shutdown, ms. */
const CLOSE_SWEEP_MS = 50;
const HEADERS_TIMEOUT_AT_CLOSE_MS = 1000;

export interface ServerOptions extends OpenConnectionsOptions, ReceptionOptions {
  host: string;
  port: number;
  /** Paths of PEM files, or null for plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
}

export interface ListeningServer {
  /** The URL on this machine: localhost stands for a wildcard address. */
  url: string;
  port: number;
  /** Only this machine can reach the server. */
  isLoopback: boolean;
  /** Makes each further answer the last of its connection. New connections are still accepted. */
  answerLast(): void;
  /**
   * Takes no new connections and closes each open one when it falls idle. Cuts the
   * rest after `graceMs`. Resolves when all are closed.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens with every limit set. The server is a plain `node:http(s)` server, because
 * listhen passes no options to its server: Node would check timeouts only every
 * 30 s, and slow senders would live that much longer.
 *
 * Throws `address_in_use`, or `config_invalid` for an unusable address or
 * certificate.
 */
export async function listen(options: ServerOptions): Promise<ListeningServer> {
  const { limits } = options;
  const settings = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // A limit shorter than the interval would otherwise last as long as the interval.
    connectionsCheckingInterval: Math.min(
      CHECK_INTERVAL_MS,
      limits.headersTimeoutMs,
      limits.requestTimeoutMs,
    ),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The front door checks the Host, and answers in our error format.
    requireHostHeader: false,
  };
  const open = new OpenConnections(options);
  const reception = new Reception(open, options);
  const { listener } = reception;
  const server: Server = options.tls
    ? createTlsServer(
        { ...settings, handshakeTimeout: limits.headersTimeoutMs, ...readTls(options.tls) },
        listener,
      )
    : createServer(settings, listener);
  server.on('clientError', answerClientError);
  // Node answers 417 to an unknown Expect, which would lose the event. Capture ignores it.
  server.on('checkExpectation', listener);
  reception.takeOver(server, options.tls !== null);
  await bind(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  const isWildcard = address === '::' || address === '0.0.0.0';
  const shown = isWildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `${options.tls ? 'https' : 'http'}://${shown}:${port}`,
    port,
    isLoopback: address === '::1' || address.startsWith('127.'),
    answerLast: () => reception.answerLast(),
    close: (graceMs) => close(server, reception, open, graceMs),
  };
}

function bind(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new HookrelayError('address_in_use', `port ${port} of ${host} is in use`, {
              hint: 'stop the program that listens there, or choose another --port (0: any free port)',
              cause: error,
            })
          : new HookrelayError(
              'config_invalid',
              `cannot listen on ${host}:${port}: ${error.message}`,
              {
                hint: 'check --host and --port',
                cause: error,
              },
            ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function readTls({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    // The server does the same later. A file that isn't PEM, or the key of another
    // certificate, must throw now.
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new HookrelayError(
      'config_invalid',
      `cannot use the certificate: ${(error as Error).message}`,
      {
        hint: 'check --tls-cert and --tls-key: PEM files, the key without a passphrase',
        cause: error,
      },
    );
  }
}

/**
 * Stops listening at once and closes each connection when it falls idle. The first
 * check comes after `CLOSE_SWEEP_MS`, and each answer until then is marked as the
 * last. Node's own `close` would cut a busy client's connection between two requests.
 */
async function close(
  server: Server,
  reception: Reception,
  open: OpenConnections,
  graceMs: number,
): Promise<void> {
  reception.answerLast();
  // Half a request's head isn't a request: shutdown doesn't wait long for the rest.
  server.headersTimeout = HEADERS_TIMEOUT_AT_CLOSE_MS;
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const sweep = setInterval(() => {
    // Node counts a connection as idle while its ended answer is still being sent.
    const isSending = [...open].some(({ socket }) => socket.writableLength > 0);
    if (!isSending) server.closeIdleConnections();
    for (const { fastPath } of open) fastPath?.closeIdle();
  }, CLOSE_SWEEP_MS);
  const cut = setTimeout(() => {
    for (const { socket } of open) socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // Stops Node's timer that checks connections.
  server.close();
}
