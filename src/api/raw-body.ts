import type { ServerResponse } from 'node:http';
import { ANSWERED } from './route.ts';

/** Answers with bytes that a stranger sent, as a download: no browser runs or sniffs them. */
export function sendRawBody(res: ServerResponse, name: string, body: Buffer): typeof ANSWERED {
  res.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    'content-disposition': `attachment; filename="${name}.bin"`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  res.end(body);
  return ANSWERED;
}
