import { errors } from 'undici';
import type { AttemptError, AttemptErrorCode } from '../../../core/model.ts';
import { AttemptFailure } from '../../network/attempt-failure.ts';

type Named = readonly [AttemptErrorCode, string];

const UNREACHABLE: Named = ['connect_error', 'The host or its network could not be reached.'];
const RESET: Named = ['reset', 'The connection was closed before the response was complete.'];
const TIMEOUT: Named = ['timeout', 'No answer in time.'];
const BLOCKED: Named = ['blocked_address', 'The address is not public.'];
const NO_NAME: Named = ['dns_error', 'The name does not resolve.'];

/** Errors of Node and undici by their codes. */
const BY_CODE: Record<string, Named> = {
  ENOTFOUND: NO_NAME,
  ENODATA: NO_NAME,
  ECONNREFUSED: ['connect_refused', 'The connection was refused.'],
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: TIMEOUT,
  ECONNRESET: RESET,
  ECONNABORTED: RESET,
  EPIPE: RESET,
  ERR_IP_BLOCKED: BLOCKED,
  UND_ERR_HEADERS_OVERFLOW: ['invalid_response', 'The response has too many or too long headers.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'invalid_response',
    "The response's length differs from its Content-Length.",
  ],
};

/** What failed in a TLS handshake, by the codes of Node and OpenSSL. */
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
 * Names a failed TLS handshake. Only the handshake itself knows this stage: later,
 * a reset looks like any other.
 */
export function tlsFailure(error: Error): AttemptFailure {
  const code = codeOf(error);
  const reason = TLS_BY_CODE[code] ?? (code || 'unknown reason');
  return new AttemptFailure('tls_error', `TLS handshake failed: ${reason}.`, error);
}

/**
 * Names an error for the record of attempts: a stable code, and one line without
 * addresses or stack.
 */
export function attemptErrorOf(error: Error): AttemptError {
  if (error instanceof AttemptFailure) return { code: error.code, message: error.message };
  const code = codeOf(error);
  const named = BY_CODE[code];
  if (named) return { code: named[0], message: named[1] };
  if (code.startsWith('EAI_')) {
    return {
      code: 'dns_error',
      message: `The name could not be resolved (${code}).`,
    };
  }
  // The text comes from undici's parser ("Expected HTTP/ …") and holds nothing of
  // the response.
  if (error instanceof errors.HTTPParserError) {
    return { code: 'invalid_response', message: `${error.message}.` };
  }
  if (code === 'UND_ERR_SOCKET') return socketError(error);
  return {
    code: 'unknown',
    message: `The request failed (${code || error.name}).`,
  };
}

/**
 * undici has one code for a closed connection and for an invalid response; only the
 * text differs.
 */
function socketError(error: Error): AttemptError {
  if (error.message === 'bad response' || error.message === 'bad upgrade') {
    const message = 'The response is an unrequested upgrade or 100 (Continue).';
    return { code: 'invalid_response', message };
  }
  return { code: RESET[0], message: RESET[1] };
}

/** When all addresses of a name failed, the first one's error stands for all. */
function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors[0] instanceof Error
    ? codeOf(error.errors[0])
    : '';
}
