import { errors } from 'undici';
import type { AttemptError, AttemptErrorCode } from '../../../core/model.ts';
import { codeOf, connectionErrorOf } from '../../network/connection-error.ts';

type Named = readonly [AttemptErrorCode, string];

const RESET: Named = ['reset', 'The connection was closed before the response was complete.'];

/** Errors of undici by their codes. */
const BY_CODE: Record<string, Named> = {
  UND_ERR_HEADERS_OVERFLOW: ['invalid_response', 'The response has too many or too long headers.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'invalid_response',
    "The response's length differs from its Content-Length.",
  ],
};

/**
 * Names an error for the record of attempts: a stable code, and one line without
 * addresses or stack.
 */
export function attemptErrorOf(error: Error): AttemptError {
  const known = connectionErrorOf(error);
  if (known) return known;
  const code = codeOf(error);
  const named = BY_CODE[code];
  if (named) return { code: named[0], message: named[1] };
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
