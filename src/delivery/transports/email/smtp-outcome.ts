import { entryOf } from '../../../core/entry-of.ts';
import type { AttemptError } from '../../../core/model.ts';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import { connectionErrorOf, socketErrorOf, tlsErrorOf } from '../../network/connection-error.ts';
import type { AttemptOutcome } from '../transport.ts';

export interface SmtpFailure extends Error {
  /** The mail server's reply, if one caused the error. */
  response?: string;
  responseCode?: number;
  /** The command that the reply answers, such as `RCPT TO`. */
  command?: string;
  code?: string;
  /** The code of the system's or TLS's error, if one caused this error. */
  originalCode?: string;
}

/**
 * Commands that the mail server refuses because of the message or its receiver. A retry can't help.
 */
const ABOUT_THE_MESSAGE = new Set(['RCPT TO', 'DATA']);

/**
 * Returns what the mail server's last answer, or a missing answer, means for a delivery.
 *
 * A 5xx about the message or its receiver is fatal (RFC 5321, section 4.2.1). A 5xx about the
 * greeting, the login or the sender isn't fatal, because the operator may fix the cause.
 */
export function smtpOutcome(
  result: string | SmtpFailure,
  durationMs: number,
): Omit<AttemptOutcome, 'requestHeaders'> {
  const common = {
    responseHeaders: null,
    responseTruncated: false,
    durationMs: Math.round(durationMs),
    retryAfterMs: null,
  };
  if (typeof result === 'string') {
    return {
      ...common,
      responseCode: Number(/^\d{3}/.exec(result)?.[0] ?? 250),
      responseBody: result,
      error: null,
      verdict: 'succeeded',
      timedOut: false,
      reach: 'answered',
    };
  }
  const { responseCode = null, response = null, command = '' } = result;
  const isFatal = responseCode !== null && responseCode >= 500 && ABOUT_THE_MESSAGE.has(command);
  const error = errorOf(result);
  return {
    ...common,
    responseCode,
    responseBody: response,
    error,
    verdict: isFatal ? 'fatal' : 'retryable',
    timedOut: error?.code === 'timeout',
    reach: 'failed',
  };
}

/** Errors without a reply, by nodemailer's codes. */
const BY_CODE: Record<string, AttemptError> = {
  ECONNECTION: { code: 'reset', message: 'The mail server closed the connection.' },
  EPROTOCOL: { code: 'invalid_response', message: 'The server that answers does not speak SMTP.' },
  ETIMEDOUT: { code: 'timeout', message: 'The mail server did not answer in time.' },
  EAUTH: { code: 'invalid_response', message: 'The mail server supports no known login method.' },
};
const NO_STARTTLS: AttemptError = {
  code: 'tls_error',
  message: 'The mail server does not offer STARTTLS, and hookrelay sends nothing without TLS.',
};

/** Returns null if the mail server's reply says what is wrong. */
function errorOf(failure: SmtpFailure): AttemptError | null {
  if (failure instanceof AttemptFailure) return connectionErrorOf(failure);
  const { code = '', originalCode = '', responseCode } = failure;
  if (code === 'ETLS' && originalCode === '') return NO_STARTTLS;
  if (responseCode !== undefined) return null;
  const named = tlsErrorOf(originalCode) ?? socketErrorOf(originalCode);
  if (named) return named;
  return (
    entryOf(BY_CODE, code) ??
    connectionErrorOf(failure) ?? {
      code: 'unknown',
      message: `The e-mail could not be sent (${code || failure.name}).`,
    }
  );
}
