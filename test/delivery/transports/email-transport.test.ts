import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mailtoUrl } from '../../../src/core/channels/mailto-url.ts';
import type { SmtpSettings } from '../../../src/core/channels/smtp-settings.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type {
  AttemptOutcome,
  TransportDelivery,
} from '../../../src/delivery/transports/transport.ts';
import { Transports } from '../../../src/delivery/transports/transports.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { mailServer, reply, smtpAt } from '../../fixtures/mail-server.ts';
import { authority } from '../network/authority.ts';
import { receiver, selfSigned } from '../receivers.ts';

failOnLeaks();

const CONTENT = {
  subject: '[hookrelay] billing answers 503',
  text: 'billing answers 503\n\n.\nSee it: https://hooks.example.com/issues/iss_01\n',
  html: '<!doctype html><html><body><p>billing answers 503</p></body></html>',
};

interface Attempted {
  to?: string;
  content?: unknown;
  timeoutMs?: number;
  signal?: AbortSignal;
}

function attempt(smtp: SmtpSettings | null, given: Attempted = {}): Promise<AttemptOutcome | null> {
  const { to = 'ada@example.com', content = CONTENT, timeoutMs = 5000 } = given;
  const transports = new Transports({
    allowPrivate: false,
    timeoutMs,
    smtp,
    clock: systemClock,
    signal: given.signal ?? new AbortController().signal,
    openSecret: () => null,
  });
  onTestFinished(() => transports.close());
  const delivery: TransportDelivery = {
    id: 'dlv_01',
    eventId: 'evt_01',
    trigger: 'capture',
    attempt: 1,
    attemptedAt: Date.parse('2026-03-14T09:26:53Z'),
    destination: {
      id: 'dst_01',
      url: mailtoUrl(to),
      sealedUrl: null,
      sealedSecret: null,
      previousSecret: null,
      sealedHeaders: null,
      settings: DEFAULT_DESTINATION_SETTINGS,
    },
    request: {
      ...{ method: 'POST', path: '', query: '', rawHeaders: [] },
      body: Buffer.from(JSON.stringify(content)),
      verification: NOT_CHECKED,
    },
    signer: null,
  };
  return transports.attempt(delivery);
}

/** Lets this thread trust an authority until the test's end, as NODE_EXTRA_CA_CERTS does. */
function trust(cert: Buffer): void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, cert.toString()]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

/** Frozen, as the config is. */
const LOGIN = Object.freeze({ user: 'ada', pass: 'p@ss:w/ord' });
const withLogin = {
  authOptional: false,
  onAuth: ((given, _session, done) => {
    const isRight = given.username === LOGIN.user && given.password === LOGIN.pass;
    if (isRight) done(null, { user: given.username });
    else done(reply(535, 'authentication failed'));
  }) satisfies NonNullable<Parameters<typeof mailServer>[0]>['onAuth'],
};

describe('a message', () => {
  test('arrives whole, as text and HTML, and says that no person sent it', async () => {
    const server = await mailServer();
    const outcome = await attempt(smtpAt(server.port));
    expect(outcome).toMatchObject({
      responseCode: 250,
      responseBody: expect.stringContaining('queued'),
      error: null,
      verdict: 'succeeded',
      reach: 'answered',
      timedOut: false,
    });
    expect(server.received).toHaveLength(1);
    const [{ from, to, headers, raw } = { headers: new Map(), raw: '' }] = server.received;
    expect([from, to]).toEqual(['alerts@example.com', ['ada@example.com']]);
    expect(headers.get('from')).toBe('Alerts <alerts@example.com>');
    expect(headers.get('to')).toBe('ada@example.com');
    expect(headers.get('subject')).toBe(CONTENT.subject);
    expect(headers.get('message-id')).toBe('<dlv_01@example.com>');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('date')).toContain('14 Mar 2026 09:26:53');
    expect(headers.get('content-type')).toContain('multipart/alternative');
    expect(raw).toContain('See it: https://hooks.example.com/issues/iss_01');
    expect(raw).toContain('<p>billing answers 503</p>');
    expect(outcome?.requestHeaders).toContainEqual(['message-id', '<dlv_01@example.com>']);
  });

  test('brings no header and no receiver of a stranger', async () => {
    const server = await mailServer();
    const content = { ...CONTENT, subject: 'a\r\nBcc: eve@example.com\r\n\r\nx' };
    await attempt(smtpAt(server.port), { content });
    await attempt(smtpAt(server.port), { to: 'a,eve@example.com' });
    expect(server.received.map(({ to }) => to)).not.toContainEqual(['eve@example.com']);
    expect(server.received[0]?.to).toEqual(['ada@example.com']);
    expect(server.received[0]?.headers.get('bcc')).toBeUndefined();
    expect(server.received[0]?.headers.get('subject')).toBe('a Bcc: eve@example.com x');
  });

  test('that is no message of a channel is never sent', async () => {
    const server = await mailServer();
    const outcome = await attempt(smtpAt(server.port), { content: { subject: 'a' } });
    expect(outcome).toMatchObject({ verdict: 'fatal', error: { code: 'request_unreadable' } });
    expect(server.received).toEqual([]);
  });

  test('without a mail server is not sent, and says why', async () => {
    expect(await attempt(null)).toMatchObject({
      verdict: 'fatal',
      reach: 'not_sent',
      error: { message: expect.stringContaining('--smtp-url') },
    });
  });
});

describe('a refusal', () => {
  test.each([
    [450, 'retryable'],
    [452, 'retryable'],
    [550, 'fatal'],
    [552, 'fatal'],
  ] as const)('of the receiver with %d is %s', async (code, verdict) => {
    const server = await mailServer({
      onRcptTo: (_address, _session, done) => done(reply(code, 'not this one')),
    });
    expect(await attempt(smtpAt(server.port))).toMatchObject({
      responseCode: code,
      responseBody: expect.stringContaining('not this one'),
      error: null,
      verdict,
      reach: 'failed',
    });
  });

  test.each([
    [451, 'retryable'],
    [554, 'fatal'],
  ] as const)('of the message with %d is %s', async (code, verdict) => {
    const server = await mailServer({}, () => reply(code));
    expect(await attempt(smtpAt(server.port))).toMatchObject({ responseCode: code, verdict });
  });

  test.each([
    ['the greeting', { onConnect: (_: unknown, done: (e: Error) => void) => done(reply(554)) }],
    [
      'the sender',
      { onMailFrom: (_: unknown, __: unknown, done: (e: Error) => void) => done(reply(550)) },
    ],
  ])('of %s is the operator’s to mend: retryable', async (_, options) => {
    const server = await mailServer(options);
    const outcome = await attempt(smtpAt(server.port));
    expect(outcome).toMatchObject({ verdict: 'retryable', reach: 'failed' });
    expect([550, 554]).toContain(outcome?.responseCode);
  });

  test('then success: the next attempt arrives with the same Message-ID', async () => {
    const ids: unknown[] = [];
    const server = await mailServer({}, ({ headers }) => {
      ids.push(headers.get('message-id'));
      return ids.length === 1 ? reply(451) : null;
    });
    const smtp = smtpAt(server.port);
    expect((await attempt(smtp))?.verdict).toBe('retryable');
    expect((await attempt(smtp))?.verdict).toBe('succeeded');
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a login', () => {
  test('that is right sends', async () => {
    const server = await mailServer({ ...withLogin, allowInsecureAuth: true });
    const outcome = await attempt(smtpAt(server.port, { auth: LOGIN }));
    expect(outcome?.verdict).toBe('succeeded');
    expect(server.received[0]?.user).toBe('ada');
  });

  test('that is wrong is retryable, and no record has the password', async () => {
    const server = await mailServer({ ...withLogin, allowInsecureAuth: true });
    const auth = { ...LOGIN, pass: 'wr0ng-pass' };
    const outcome = await attempt(smtpAt(server.port, { auth }));
    expect(outcome).toMatchObject({ responseCode: 535, verdict: 'retryable' });
    const record = JSON.stringify(outcome);
    expect(record).not.toContain(auth.pass);
    expect(record).not.toContain(Buffer.from(`\0${auth.user}\0${auth.pass}`).toString('base64'));
  });
});

describe('TLS', () => {
  test.each(['starttls', 'tls'] as const)('%s sends and logs in over TLS', async (security) => {
    const own = authority();
    trust(own.cert);
    const certificate = own.issue('localhost');
    const server = await mailServer({ ...withLogin, ...certificate, secure: security === 'tls' });
    const settings = { host: 'localhost', security, auth: LOGIN };
    const outcome = await attempt(smtpAt(server.port, settings));
    expect(outcome).toMatchObject({ verdict: 'succeeded', error: null });
    expect(server.received).toMatchObject([{ secure: true, user: 'ada' }]);
  });

  test.each(['starttls', 'tls'] as const)(
    '%s to a certificate that nobody vouches for sends nothing',
    async (security) => {
      const { key, cert } = selfSigned('localhost');
      const server = await mailServer({ ...withLogin, key, cert, secure: security === 'tls' });
      const settings = { host: 'localhost', security, auth: LOGIN };
      expect(await attempt(smtpAt(server.port, settings))).toMatchObject({
        responseCode: null,
        verdict: 'retryable',
        error: { code: 'tls_error', message: 'TLS handshake failed: self-signed certificate.' },
      });
      expect(server.received).toEqual([]);
    },
  );

  test('a server without STARTTLS gets nothing, not even the password', async () => {
    const logins: unknown[] = [];
    const server = await mailServer({
      ...withLogin,
      allowInsecureAuth: true,
      onAuth: (given, _session, done) => {
        logins.push(given);
        done(null, { user: 'ada' });
      },
    });
    const outcome = await attempt(smtpAt(server.port, { security: 'starttls', auth: LOGIN }));
    expect(outcome).toMatchObject({ verdict: 'retryable', error: { code: 'tls_error' } });
    expect([logins, server.received]).toEqual([[], []]);
  });

  test('to a server that does not speak it is an error', async () => {
    const server = await mailServer();
    expect(await attempt(smtpAt(server.port, { security: 'tls' }))).toMatchObject({
      error: { code: 'tls_error' },
      verdict: 'retryable',
    });
  });
});

describe('a mail server that', () => {
  test('is silent ends with the deadline', async () => {
    const target = await receiver(() => {});
    expect(await attempt(smtpAt(target.port), { timeoutMs: 150 })).toMatchObject({
      responseCode: null,
      error: { code: 'timeout' },
      verdict: 'retryable',
      timedOut: true,
      reach: 'failed',
    });
  });

  test('falls silent after the message ends with the deadline', async () => {
    const server = await mailServer({ onData: (stream) => void stream.resume() });
    expect(await attempt(smtpAt(server.port), { timeoutMs: 300 })).toMatchObject({
      error: { code: 'timeout' },
      timedOut: true,
    });
  });

  test('is not there is refused', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as net.AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await attempt(smtpAt(port))).toMatchObject({
      error: { code: 'connect_refused' },
      verdict: 'retryable',
      reach: 'failed',
    });
  });

  test('has no address says so', async () => {
    const outcome = await attempt(smtpAt(25, { host: 'mail.invalid' }), { timeoutMs: 3000 });
    expect(['dns_error', 'timeout']).toContain(outcome?.error?.code);
  });

  test.each([
    ['closes at once', (socket: net.Socket) => socket.end(), 'reset'],
    [
      'speaks HTTP',
      (socket: net.Socket) => socket.end('HTTP/1.1 400 no\r\n\r\n'),
      'invalid_response',
    ],
  ])('%s is an error', async (_, answer, code) => {
    const target = await receiver((socket) => void answer(socket));
    const outcome = await attempt(smtpAt(target.port));
    expect(outcome).toMatchObject({ error: { code }, verdict: 'retryable' });
  });

  test('floods is cut off', async () => {
    const target = await receiver((socket) => {
      socket.on('error', () => {});
      socket.write(`220-${'x'.repeat(1024 * 1024)}`);
    });
    expect(await attempt(smtpAt(target.port))).toMatchObject({ verdict: 'retryable' });
  });
});

test('the server’s own stop records nothing', async () => {
  const drain = new AbortController();
  const target = await receiver(() => drain.abort());
  expect(await attempt(smtpAt(target.port), { signal: drain.signal })).toBeNull();
  expect(await attempt(smtpAt(target.port), { signal: drain.signal })).toBeNull();
});
