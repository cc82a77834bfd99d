import { base64 } from '../../text/binary.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { requestUrl } from '../../text/request-url.ts';

/**
 * Returns the captured request as an HTTP archive (HAR 1.2). hookrelay doesn't store its answer to
 * the sender, but the format requires a response. So the response is empty and has status 0.
 */
export function toHar(event: EventDetail, captureUrl: string): string {
  const pair = ([name, value]: readonly [string, string]) => ({ name, value });
  const entry = {
    startedDateTime: event.received_at,
    time: 0,
    request: {
      method: event.method,
      url: requestUrl(captureUrl, event),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: event.raw_headers.map(pair),
      queryString: [...new URLSearchParams(event.query)].map(pair),
      headersSize: -1,
      bodySize: event.bytes.length,
      ...(event.bytes.length > 0 && {
        postData: {
          mimeType: event.content_type ?? '',
          ...(event.text === null
            ? { text: base64(event.bytes), encoding: 'base64', comment: 'base64 of binary data' }
            : { text: event.text }),
        },
      }),
    },
    response: {
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: event.id,
  };
  const log = { version: '1.2', creator: { name: 'hookrelay', version: '1' }, entries: [entry] };
  return JSON.stringify({ log }, null, 2);
}
