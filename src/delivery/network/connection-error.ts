import { entryOf } from '../../core/entry-of.ts';
import type { AttemptError } from '../../core/model.ts';
import { AttemptFailure } from './attempt-failure.ts';

const UNREACHABLE: AttemptError = {
  code: 'connect_error',
  message: 'The host or its network could not be reached.',
};
export const RESET: AttemptError = {
  code: 'reset',
  message: 'The connection was closed before the response was complete.',
};
const TIMEOUT: AttemptError = { code: 'timeout', message: 'No answer in time.' };
const NO_NAME: AttemptError = { code: 'dns_error', message: 'The name does not resolve.' };

const BY_CODE: Record<string, AttemptError> = {
  ENOTFOUND: NO_NAME,
  ENODATA: NO_NAME,
  ECONNREFUSED: { code: 'connect_refused', message: 'The connection was refused.' },
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: TIMEOUT,
  ECONNRESET: RESET,
  ECONNABORTED: RESET,
  EPIPE: RESET,
  ERR_IP_BLOCKED: { code: 'blocked_address', message: 'The address is not public.' },
};

/**
 * Returns the code and message of a connection's error; null for an unknown error. The message is
 * one line without addresses or stack.
 */
export function connectionErrorOf(error: Error): AttemptError | null {
  if (error instanceof AttemptFailure) return { code: error.code, message: error.message };
  return socketErrorOf(codeOf(error));
}

/** Returns the code and message of a socket's error, by Node's code; null for any other code. */
export function socketErrorOf(code: string): AttemptError | null {
  const named = entryOf(BY_CODE, code);
  if (named) return named;
  return code.startsWith('EAI_')
    ? { code: 'dns_error', message: `The name could not be resolved (${code}).` }
    : null;
}

/** Returns the code and message of a failed TLS handshake; null if the code isn't one of TLS. */
export function tlsErrorOf(code: string): AttemptError | null {
  const reason = entryOf(BY_CODE, code) ? undefined : entryOf(TLS_BY_CODE, code);
  return reason ? { code: 'tls_error', message: `TLS handshake failed: ${reason}.` } : null;
}

/** The reasons for a failed TLS handshake, by the codes of Node and OpenSSL. */
const TLS_BY_CODE: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in the chain',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate of an unknown authority, or an incomplete chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority, or an incomplete chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority, or an incomplete chain',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  CERT_REVOKED: 'certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server offers no TLS version from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server offers no TLS version from 1.2 on',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
};

/**
 * Returns the failure of a TLS handshake. Call it only for errors during the handshake, because a
 * later reset has the same code.
 */
export function tlsFailure(error: Error): AttemptFailure {
  const code = codeOf(error);
  const reason = TLS_BY_CODE[code] ?? (code || 'unknown reason');
  return new AttemptFailure('tls_error', `TLS handshake failed: ${reason}.`, error);
}

/** Returns the error's code. If all addresses of a name failed, returns the first one's code. */
export function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors[0] instanceof Error
    ? codeOf(error.errors[0])
    : '';
}
