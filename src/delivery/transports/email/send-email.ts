import type net from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpSettings } from '../../../core/channels/smtp-settings.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import type { AttemptOutcome } from '../transport.ts';
import { type Email, emailBytes, emailHeaders } from './email-message.ts';
import { openSocket, TLS_OPTIONS } from './open-socket.ts';
import { type SmtpFailure, smtpOutcome } from './smtp-outcome.ts';

export interface SendContext {
  smtp: SmtpSettings;
  lookup: net.LookupFunction;
  /** Deadline of the whole attempt, ms. */
  timeoutMs: number;
  clock: Clock;
  /** Ends attempts early when the server shuts down. */
  signal: AbortSignal;
}

/** The largest answer that is read from a mail server, bytes. */
const MOST_ANSWER_BYTES = 16 * 1024;
/** How long the mail server may take to close a finished connection, ms. */
const CLOSE_MS = 1000;

/**
 * Sends one e-mail over its own connection. Returns null if `signal` ended the attempt. Never
 * rejects for a fault of the mail server.
 */
export async function sendEmail(
  email: Email,
  { smtp, lookup, timeoutMs, clock, signal }: SendContext,
): Promise<AttemptOutcome | null> {
  if (signal.aborted) return null;
  const startedAt = clock.monotonic();
  const bytes = await emailBytes(email);
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  const stop = AbortSignal.any([signal, ended.signal]);
  try {
    const result = await talk(email, bytes, { smtp, lookup, timeoutMs, stop }).catch(
      (error: SmtpFailure) => error,
    );
    const failed = result instanceof Error && result.responseCode === undefined;
    if (failed && signal.aborted) return null;
    const late = failed && ended.signal.aborted;
    const durationMs = clock.monotonic() - startedAt;
    return {
      ...smtpOutcome(late ? tooLate(timeoutMs) : result, durationMs),
      requestHeaders: emailHeaders(email),
    };
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(timeoutMs: number): AttemptFailure {
  return new AttemptFailure('timeout', `The mail server did not finish within ${timeoutMs} ms.`);
}

/** Sends the e-mail. Resolves with the mail server's last answer, such as `250 2.0.0 queued`. */
async function talk(
  { from, to }: Email,
  bytes: Buffer,
  {
    smtp: { host, port, security, auth },
    lookup,
    timeoutMs,
    stop,
  }: Pick<SendContext, 'smtp' | 'lookup' | 'timeoutMs'> & { stop: AbortSignal },
): Promise<string> {
  const socket = await openSocket({ host, port, security, lookup, stop });
  const connection = new SMTPConnection({
    host,
    port,
    connection: socket,
    secure: security === 'tls',
    secured: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: TLS_OPTIONS,
    maxResponseSize: MOST_ANSWER_BYTES,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: CLOSE_MS,
    // nodemailer would log the password.
    logger: false,
  });
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.on('end', () => reject(new AttemptFailure('reset', 'The connection was closed.')));
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
  try {
    await Promise.race([failed, step((done) => connection.connect(done))]);
    // A copy, because nodemailer writes to it.
    if (auth) await Promise.race([failed, step((done) => connection.login({ ...auth }, done))]);
    const envelope = { from: from.address, to: [to], size: bytes.length };
    const sent = step<{ response: string }>((done) => connection.send(envelope, bytes, done));
    const { response } = await Promise.race([failed, sent]);
    connection.quit();
    return response;
  } finally {
    connection.close();
  }
}

function step<T = unknown>(
  run: (done: (error?: Error | null, value?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    run((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}
