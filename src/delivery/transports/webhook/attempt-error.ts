import type { AttemptError } from '../../../core/model.ts';
import { codeOf, connectionErrorOf, RESET } from '../../network/connection-error.ts';

/** The messages for invalid responses, by the codes of undici, which `trigger` sends with. */
const INVALID_BY_CODE: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'The response has too many or too long headers.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The response's length differs from its Content-Length.",
};

/**
 * Returns an error's code and message for the record of an attempt. The message is one line without
 * addresses or stack.
 */
export function attemptErrorOf(error: Error): AttemptError {
  const known = connectionErrorOf(error);
  if (known) return known;
  const code = codeOf(error);
  const invalid = INVALID_BY_CODE[code];
  if (invalid) return { code: 'invalid_response', message: invalid };
  // The message is from undici's parser ("Expected HTTP/ …"). It contains nothing of the response.
  if (error.name === 'HTTPParserError') {
    return { code: 'invalid_response', message: `${error.message}.` };
  }
  if (code === 'UND_ERR_SOCKET') return socketError(error);
  return { code: 'unknown', message: `The request failed (${code || error.name}).` };
}

/**
 * Returns the error for `UND_ERR_SOCKET`. undici uses that code for closed connections and for
 * invalid responses. Only the message distinguishes them.
 */
function socketError(error: Error): AttemptError {
  if (error.message === 'bad response' || error.message === 'bad upgrade') {
    const message = 'The response is an unrequested upgrade or 100 (Continue).';
    return { code: 'invalid_response', message };
  }
  return RESET;
}
