import type { IncomingMessage } from 'node:http';
import type { Client } from './accounts.ts';

/** Returns the client of a request, which sessions and login limits need. */
export function clientOf({ address, req }: { address: string; req: IncomingMessage }): Client {
  return { address, userAgent: req.headers['user-agent'] ?? null };
}
