import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { HookrelayError } from '../core/errors.ts';
import { answerClientError } from './client-error.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';
import { Reception, type ReceptionOptions } from './reception.ts';

/** The longest interval of Node's timeout checks, ms. Node's default is 30 s. */
const CHECK_INTERVAL_MS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The interval of closing idle connections during a shutdown, ms. */
const CLOSE_SWEEP_MS = 50;
const HEADERS_TIMEOUT_AT_CLOSE_MS = 1000;

export interface ServerOptions extends OpenConnectionsOptions, ReceptionOptions {
  host: string;
  port: number;
  /** Paths of PEM files, or null for plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
}

export interface ListeningServer {
  /**
   * The server's URL on this machine. Its host is `localhost` if the server listens on all
   * addresses.
   */
  url: string;
  port: number;
  /** Whether only this machine can reach the server. */
  isLoopback: boolean;
  /**
   * Reads the certificate and its key again, for new connections. Returns when it expires, or null
   * without TLS. Throws `config_invalid` for an unusable pair, and keeps the present one.
   */
  readTls(): string | null;
  /** Closes each connection after its next answer. The server still accepts new connections. */
  answerLast(): void;
  /**
   * Stops accepting connections, and closes each open connection when it becomes idle. Cuts the
   * rest after `graceMs`. Resolves when all are closed.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts a server with all its limits. It uses `node:http(s)` directly, because listhen can't pass
 * options to its server. Node would then check timeouts only every 30 s.
 *
 * Throws `address_in_use`, or `config_invalid` for an unusable address or certificate.
 */
export async function listen(options: ServerOptions): Promise<ListeningServer> {
  const { limits } = options;
  const settings = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // With a longer interval, the limits would take effect too late.
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
  const { tls } = options;
  const tlsServer =
    tls &&
    createTlsServer(
      { ...settings, handshakeTimeout: limits.headersTimeoutMs, ...readTls(tls) },
      listener,
    );
  const server: Server = tlsServer ?? createServer(settings, listener);
  server.on('clientError', answerClientError);
  // Node answers 417 to an unknown Expect, which would lose the event. Capture ignores Expect.
  server.on('checkExpectation', listener);
  reception.takeOver(server, tls !== null);
  await bind(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  const isWildcard = address === '::' || address === '0.0.0.0';
  const shown = isWildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `${tls ? 'https' : 'http'}://${shown}:${port}`,
    port,
    isLoopback: address === '::1' || address.startsWith('127.'),
    readTls() {
      if (!tls || !tlsServer) return null;
      const pair = readTls(tls);
      tlsServer.setSecureContext(pair);
      return new Date(new X509Certificate(pair.cert).validTo).toISOString();
    },
    answerLast: () => reception.answerLast(),
    close: (graceMs) => close(server, reception, open, graceMs),
  };
}

function bind(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainBind(error, host, port)));
    server.listen(port, host, resolve);
  });
}

/** Returns the error that a start shows if the system refuses the address. */
export function explainBind(
  cause: NodeJS.ErrnoException,
  host: string,
  port: number,
): HookrelayError {
  if (cause.code === 'EADDRINUSE') {
    const hint = 'stop the program that listens there, or choose another --port (0: any free port)';
    return new HookrelayError('address_in_use', `port ${port} of ${host} is in use`, {
      ...{ hint, cause },
    });
  }
  const isPrivileged = cause.code === 'EACCES' && port > 0 && port < 1024;
  return new HookrelayError(
    'config_invalid',
    isPrivileged
      ? `no permission to listen on port ${port}: ports below 1024 need CAP_NET_BIND_SERVICE`
      : `cannot listen on ${host}:${port}: ${cause.message}`,
    {
      hint: isPrivileged
        ? 'with systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE; or choose a --port from 1024 on'
        : 'check --host and --port',
      cause,
    },
  );
}

function readTls({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    // Throws now for a file that isn't PEM or a key of another certificate. The server would only
    // notice later.
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
 * Stops listening at once, and closes each connection when it becomes idle. Node's own `close`
 * would cut a busy client's connection between two requests. The first sweep waits for
 * `CLOSE_SWEEP_MS`, so that answers until then announce the close.
 */
async function close(
  server: Server,
  reception: Reception,
  open: OpenConnections,
  graceMs: number,
): Promise<void> {
  reception.answerLast();
  // An incomplete head isn't a request, so the shutdown waits only briefly for the rest of it.
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
  // Stops Node's timer for timeout checks.
  server.close();
}
