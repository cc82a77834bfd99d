import type { IncomingMessage } from 'node:http';
import type { Client } from './accounts.ts';

/** The client of a request, for sessions and login limits. */
export function clientOf({ address, req }: { address: string; req: IncomingMessage }): Client {
  return { address, userAgent: req.headers['user-agent'] ?? null };
}
