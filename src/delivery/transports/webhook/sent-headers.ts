import type { HeaderPair } from '../../../core/model.ts';
import { maskedSecret } from '../../../core/secrets/masked-secret.ts';
import type { AttemptRequest } from './attempt.ts';
import { asksToClose, contentLength, hostOf } from './connection/request-head.ts';

/** The largest part of a request's headers that is kept, bytes. */
export const REQUEST_HEADERS_MAX_BYTES = 16 * 1024;
/** The length of a header's `: ` and its line break. */
const LINE_BYTES = 4;

/**
 * Returns the headers of a request as `requestHead` writes them. Omits headers beyond 16
 * KiB.
 *
 * @param secretNames the lower-case names of the headers whose values are masked
 */
export function sentHeaders(
  request: AttemptRequest,
  secretNames: ReadonlySet<string> | null,
): HeaderPair[] {
  const { headers } = request;
  const pairs: HeaderPair[] = [
    ['host', hostOf(request)],
    ['connection', asksToClose(request) ? 'close' : 'keep-alive'],
  ];
  let left = REQUEST_HEADERS_MAX_BYTES;
  for (const [name, value] of pairs) left -= name.length + value.length + LINE_BYTES;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    let value = headers[i + 1] as string;
    if (secretNames?.has(name.toLowerCase())) value = maskedSecret(value);
    left -= name.length + value.length + LINE_BYTES;
    if (left < 0) return pairs;
    pairs.push([name, value]);
  }
  const length = contentLength(request);
  if (length !== null && left >= 'content-length'.length + length.length + LINE_BYTES) {
    pairs.push(['content-length', length]);
  }
  return pairs;
}
