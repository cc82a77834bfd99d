import { execFile } from 'node:child_process';
import type net from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { HttpOutcome } from '../../../src/delivery/transports/webhook/attempt.ts';
import { authority } from '../network/authority.ts';
import {
  answering,
  attempts,
  flood,
  lookupAnswering,
  OK,
  post,
  type Receiver,
  receiver,
  selfSigned,
  serve,
} from '../receivers.ts';

const NAME = 'receiver.example';
const { lookup } = lookupAnswering(['127.0.0.1']);

const answerOk = (socket: net.Socket): void => {
  socket.on('data', () => socket.write(OK));
};

function tlsReceiver(options: tls.TlsOptions, answer = answerOk): Promise<Receiver> {
  const server = tls.createServer(options);
  server.on('tlsClientError', () => {});
  return serve(server, answer, 'secureConnection');
}

describe('a TLS receiver', () => {
  it('with a self-signed certificate is not trusted', async () => {
    const target = await tlsReceiver(selfSigned(NAME));
    const outcome = await attempts({ lookup })(post(`https://${NAME}:${target.port}`));
    expect(outcome).toMatchObject({
      responseCode: null,
      error: { code: 'tls_error', message: 'TLS handshake failed: self-signed certificate.' },
    });
    expect(target).toMatchObject({ connections: 1, received: '' });
  });

  it.each<[string, boolean, string]>([
    ['its own alone', false, 'certificate of an unknown authority, or an incomplete chain'],
    ['the whole chain', true, 'self-signed certificate in the chain'],
  ])('with a certificate of an unknown authority is not trusted: %s', async (_, whole, reason) => {
    const unknown = authority();
    const { key, cert } = unknown.issue(NAME);
    const target = await tlsReceiver({ key, cert: whole ? [cert, unknown.cert].join('\n') : cert });
    const outcome = await attempts({ lookup })(post(`https://${NAME}:${target.port}`));
    expect(outcome?.error).toEqual({
      code: 'tls_error',
      message: `TLS handshake failed: ${reason}.`,
    });
    expect(target).toMatchObject({ connections: 1, received: '' });
  });

  it('is not trusted even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const target = await tlsReceiver(selfSigned(NAME));
      const outcome = await attempts({ lookup })(post(`https://${NAME}:${target.port}`));
      expect(outcome?.error?.code).toBe('tls_error');
      expect(target.received).toBe('');
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  it('with an old TLS version is refused', async () => {
    const target = await tlsReceiver({
      ...selfSigned(NAME),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const outcome = await attempts({ lookup })(post(`https://${NAME}:${target.port}`));
    expect(outcome?.error).toEqual({
      code: 'tls_error',
      message: 'TLS handshake failed: the server offers no TLS version from 1.2 on.',
    });
  });

  it('that speaks plain HTTP is an error', async () => {
    const target = await receiver((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const outcome = await attempts()(post(`https://127.0.0.1:${target.port}`));
    expect(outcome?.error).toEqual({
      code: 'tls_error',
      message: 'TLS handshake failed: the server does not speak TLS on this port.',
    });
  });

  it('on a plain http: URL is an error', async () => {
    const target = await tlsReceiver(selfSigned(NAME));
    const outcome = await attempts()(post(target.origin));
    expect(['invalid_response', 'reset']).toContain(outcome?.error?.code);
  });

  it('that hangs in the handshake ends at the deadline, and the connection is closed', async () => {
    const target = await receiver(() => {});
    const attempt = attempts({ connectTimeoutMs: 150 });
    const outcome = await attempt(post(`https://127.0.0.1:${target.port}`), { timeoutMs: 150 });
    expect(outcome).toMatchObject({ error: { code: 'timeout' }, timedOut: true });
    expect(target.connections).toBe(1);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'that breaks off the handshake (%s) is an error',
    async (how) => {
      const target = await receiver((socket) => socket.once('data', () => socket[how]()));
      const outcome = await attempts()(post(`https://127.0.0.1:${target.port}`));
      expect(outcome?.error).toEqual({
        code: 'tls_error',
        message: 'TLS handshake failed: the connection was closed.',
      });
    },
  );

  it('in a handshake is dropped when the agent is destroyed', async () => {
    const target = await receiver((socket) => {
      socket.once('data', () => void attempt.destroy());
    });
    const attempt = attempts({ connectTimeoutMs: 60_000 });
    expect(await attempt(post(`https://127.0.0.1:${target.port}`))).toBeNull();
  });
});

describe('with the certificate in NODE_EXTRA_CA_CERTS', () => {
  const run = promisify(execFile);
  const child = fileURLToPath(new URL('attempt-child.ts', import.meta.url));

  /** Outcomes of sequential attempts in a process that trusts `certFile`. */
  async function trusting(certFile: string, ...origins: string[]): Promise<HttpOutcome[]> {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: certFile };
    const { stdout } = await run(process.execPath, [child, ...origins], { env });
    return JSON.parse(stdout);
  }

  it('delivers, with the name sent', async () => {
    const certificate = selfSigned(NAME);
    const names: (string | undefined)[] = [];
    const target = await tlsReceiver({
      ...certificate,
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    const origin = `https://${NAME}:${target.port}`;
    const outcomes = await trusting(certificate.certFile, origin, origin, origin);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ responseCode: 200, responseBody: 'ok', error: null });
    }
    expect(new Set(names)).toEqual(new Set([NAME]));
    expect(target.received).toContain(`POST /hook HTTP/1.1\r\nhost: ${NAME}:${target.port}\r\n`);
  });

  it('resumes the session of an earlier connection', async () => {
    const certificate = selfSigned(NAME);
    const resumed: boolean[] = [];
    const target = await tlsReceiver(certificate, (socket) => {
      resumed.push((socket as tls.TLSSocket).isSessionReused());
      socket.once('data', () => socket.end(OK));
    });
    const origin = `https://${NAME}:${target.port}`;
    await trusting(certificate.certFile, origin, origin);
    expect(resumed).toEqual([false, true]);
  });

  it('ends a flood at the limit', async () => {
    const certificate = selfSigned(NAME);
    const hint = `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(10_000)}\r\n\r\n`;
    const target = await tlsReceiver(certificate, (socket) => flood(socket, '', hint));
    const [outcome] = await trusting(certificate.certFile, `https://${NAME}:${target.port}`);
    expect(outcome?.error?.code).toBe('response_flood');
  });

  it('refuses the certificate for another name', async () => {
    const certificate = selfSigned(NAME);
    const target = await tlsReceiver(certificate);
    const [outcome] = await trusting(certificate.certFile, `https://other.example:${target.port}`);
    expect(outcome?.error).toEqual({
      code: 'tls_error',
      message: 'TLS handshake failed: certificate is for another name.',
    });
    expect(target).toMatchObject({ connections: 1, received: '' });
  });

  it('delivers to a certificate that it issued', async () => {
    const known = authority();
    const target = await tlsReceiver(known.issue(NAME));
    const [outcome] = await trusting(known.certFile, `https://${NAME}:${target.port}`);
    expect(outcome).toMatchObject({ responseCode: 200, error: null });
  });

  it.each([
    ['has expired', { from: '20200101000000Z', to: '20200102000000Z' }],
    ['is not valid yet', { from: '20980101000000Z', to: '20991231235959Z' }],
  ])('refuses an issued certificate that %s', async (what, validity) => {
    const known = authority();
    const target = await tlsReceiver(known.issue(NAME, validity));
    const [outcome] = await trusting(known.certFile, `https://${NAME}:${target.port}`);
    expect(outcome?.error).toEqual({
      code: 'tls_error',
      message: `TLS handshake failed: certificate ${what}.`,
    });
    expect(target).toMatchObject({ connections: 1, received: '' });
  });
});

it('plain HTTP and TLS do not share connections', async () => {
  const target = await answering(OK);
  const attempt = attempts();
  expect((await attempt(post(target.origin)))?.responseCode).toBe(200);
  const outcome = await attempt(post(`https://127.0.0.1:${target.port}`), { timeoutMs: 300 });
  expect(outcome?.responseCode).toBeNull();
});
