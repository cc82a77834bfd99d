import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { HookrelayError } from '../core/errors.ts';
import { answerClientError } from './client-error.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';
import { Reception, type ReceptionOptions } from './reception.ts';

/** Node looks at its limits only every 30 s unless told when the server is made. */
const CHECK_INTERVAL_MS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
/** When closing, how long a busy connection has to send what it was about to, ms. */
const CLOSE_SWEEP_MS = 50;
const HEADERS_TIMEOUT_AT_CLOSE_MS = 1000;

export interface ServerOptions extends OpenConnectionsOptions, ReceptionOptions {
  host: string;
  port: number;
  /** Paths of PEM files, or null for plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
}

export interface ListeningServer {
  /** As it can be opened on this machine: a wildcard address is shown as localhost. */
  url: string;
  port: number;
  /** Only this machine can reach it. */
  isLoopback: boolean;
  /** From now on every answer says that it is the last of its connection. All else goes on. */
  answerLast(): void;
  /**
   * Takes no new connections and closes each as it falls idle. Resolves when all
   * are closed; after `graceMs` the rest is cut.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens with every limit set. A plain `node:http(s)` server, not listhen's:
 * that one makes its server without options, so the interval at which Node
 * checks timeouts could not be set, and slow senders would live 30 s longer.
 *
 * Throws `address_in_use`, or `config_invalid` for an address or certificate
 * that can't be used.
 */
export async function listen(options: ServerOptions): Promise<ListeningServer> {
  const { limits } = options;
  const settings = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The front door asks for it, and answers in our form.
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
  // An Expect that Node doesn't know is the sender's own business: 417 would lose its event.
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
          ? new HookrelayError('address_in_use', `port ${port} of ${host} is taken`, {
              hint: 'stop what listens there, or choose another --port (0: any free one)',
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
    // As the server will: files that are no PEM, and a key of another certificate, throw here.
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
 * Stops listening at once and closes each connection when it falls idle: a busy
 * one has a moment first, and its next answer says that it is the last. Node's
 * own `close` would cut connections between two requests of a busy client.
 */
async function close(
  server: Server,
  reception: Reception,
  open: OpenConnections,
  graceMs: number,
): Promise<void> {
  reception.answerLast();
  // Half a request head is nobody's request yet.
  server.headersTimeout = HEADERS_TIMEOUT_AT_CLOSE_MS;
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const sweep = setInterval(() => {
    // Node calls a connection idle whose answer is ended, though not sent to its end.
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
  // Ends what else Node keeps for a server.
  server.close();
}
