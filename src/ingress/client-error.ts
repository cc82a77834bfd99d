import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { JSON_HEADERS } from './error-response.ts';
import { afterLastAnswer } from './owed-answers.ts';
import { isPoisoned, poisonConnection } from './poisoned.ts';

/**
 * Answers a request that Node's parser refused, and closes the connection. Node calls this function
 * for a malformed head, a body that breaks its framing, or a timeout. Answers to earlier complete
 * requests are sent first.
 */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  if (isPoisoned(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  poisonConnection(socket);
  const isOwed = ({ req, writableEnded }: ServerResponse): boolean => req.complete || writableEnded;
  afterLastAnswer(socket, isOwed, () => {
    // An earlier answer may have ended the connection.
    if (socket.writable) socket.end(render(clientErrorAnswer(error.code)), () => socket.destroy());
  });
}

type ClientErrorAnswer = [statusLine: string, code: string, message: string];

function render([status, code, message]: ClientErrorAnswer): string {
  const body = JSON.stringify({ error: { code, message } });
  const headers: string[] = [];
  for (let i = 0; i < JSON_HEADERS.length; i += 2) {
    headers.push(`${JSON_HEADERS[i]}: ${JSON_HEADERS[i + 1]}`);
  }
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

function clientErrorAnswer(code: string | undefined): ClientErrorAnswer {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        '431 Request Header Fields Too Large',
        'headers_too_large',
        'target and headers together are larger than 16 KiB',
      ];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['413 Payload Too Large', 'payload_too_large', 'the chunk extensions are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'request_timeout', 'the request took too long to arrive'];
    default:
      return ['400 Bad Request', 'invalid_request', 'this is not a well-formed HTTP/1.1 request'];
  }
}
