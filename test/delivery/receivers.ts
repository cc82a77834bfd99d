import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/runtime/runtime.ts';
import { NameResolver } from '../../src/delivery/network/name-resolver.ts';
import {
  createDeliveryAgent,
  type DeliveryAgentOptions,
} from '../../src/delivery/transports/webhook/agent.ts';
import {
  type AttemptRequest,
  type HttpOutcome,
  makeAttempt,
} from '../../src/delivery/transports/webhook/attempt.ts';

export interface Receiver {
  port: number;
  origin: string;
  connections: number;
  /** All bytes received over all connections, one character each. */
  received: string;
}

/**
 * A receiver on 127.0.0.1 that handles each connection by `behave`. At the end of the test it waits
 * until the other side has closed all connections, so an agent that leaks one fails by timeout.
 */
export async function receiver(behave: (socket: net.Socket) => void): Promise<Receiver> {
  return serve(net.createServer(), behave);
}

/** The same with `server`, such as a TLS server. Listens on every address when `host` is null. */
export async function serve(
  server: net.Server,
  behave: (socket: net.Socket) => void,
  connectionEvent = 'connection',
  host: string | null = '127.0.0.1',
): Promise<Receiver> {
  const self: Receiver = { port: 0, origin: '', connections: 0, received: '' };
  server.on('connection', () => {
    self.connections++;
  });
  server.on(connectionEvent, (socket: net.Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      self.received += chunk.toString('latin1');
    });
    behave(socket);
  });
  server.listen({ port: 0, ...(host !== null && { host }) });
  await once(server, 'listening');
  self.port = (server.address() as net.AddressInfo).port;
  self.origin = `http://127.0.0.1:${self.port}`;
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  return self;
}

/**
 * Answers every request on every connection, once its head has arrived, with
 * `responses` in turn.
 */
export async function answering(...responses: string[]): Promise<Receiver> {
  let next = 0;
  return receiver((socket) => {
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        pending = pending.slice(end + 4 + length);
        socket.write(responses[Math.min(next++, responses.length - 1)] as string, 'latin1');
      }
    });
  });
}

/** Answers the first request on each connection, and closes the connection at the second. */
export function closingWhenReused(how: 'end' | 'resetAndDestroy'): Promise<Receiver> {
  return receiver((socket) => {
    let requests = 0;
    socket.on('data', (chunk) => {
      if (!chunk.includes('HTTP/1.1\r\n')) return;
      if (++requests === 1) socket.write(OK);
      else socket[how]();
    });
  });
}

/** Writes `head` at the first request, and then `piece` as long as the client reads. */
export function flood(socket: net.Socket, head: string, piece: string): void {
  const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
  const pump = () => {
    while (socket.writable && socket.write(pieces, 'latin1'));
  };
  socket.once('data', () => {
    socket.write(head, 'latin1');
    pump();
  });
  socket.on('drain', pump);
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

export function post(origin: string, overrides: Partial<AttemptRequest> = {}): AttemptRequest {
  return {
    origin,
    path: '/hook',
    method: 'POST',
    headers: ['content-type', 'text/plain'],
    body: Buffer.from('hello'),
    ...overrides,
  };
}

export type Attempt = (
  request: AttemptRequest,
  options?: { timeoutMs?: number; signal?: AbortSignal },
) => Promise<HttpOutcome | null>;

/** Makes attempts through their own agent, destroyed when the test ends. */
export function attempts(options: Partial<DeliveryAgentOptions> = {}): Attempt & {
  destroy(): Promise<void>;
} {
  const allowPrivate = options.allowPrivate ?? true;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
  const { lookup } = new NameResolver({ allowPrivate, timeoutMs: connectTimeoutMs });
  const agent = createDeliveryAgent({ allowPrivate, connectTimeoutMs, lookup, ...options });
  onTestFinished(() => agent.destroy());
  const attempt: Attempt = (
    request,
    { timeoutMs = 5000, signal = new AbortController().signal } = {},
  ) => makeAttempt(request, { agent, clock: systemClock, timeoutMs, signal });
  return Object.assign(attempt, { destroy: () => agent.destroy() });
}

/** A `dns.lookup` that answers from the list, call by call, and then repeats the last answer. */
export function lookupAnswering(...answers: (string[] | NodeJS.ErrnoException)[]): {
  lookup: net.LookupFunction;
  calls: string[];
} {
  const calls: string[] = [];
  const lookup: net.LookupFunction = (hostname, _options, callback) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? [];
    calls.push(hostname);
    process.nextTick(() => {
      if (answer instanceof Error) callback(answer, []);
      else
        callback(
          null,
          answer.map((address) => ({ address, family: net.isIP(address) })),
        );
    });
  };
  return { lookup, calls };
}

export function dnsError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: 'getaddrinfo' });
}

export interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
  certFile: string;
}

/** A fresh self-signed certificate for `name`, whose files live as long as the test. */
export function selfSigned(name: string): Certificate {
  const dir = mkdtempSync(path.join(tmpdir(), 'hookrelay-tls-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const keyFile = path.join(dir, 'key.pem');
  const certFile = path.join(dir, 'cert.pem');
  const request = [
    'req',
    '-x509',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'ignore' });
  return { key: readFileSync(keyFile), cert: readFileSync(certFile), certFile };
}
