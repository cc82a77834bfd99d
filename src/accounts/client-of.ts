import type { IncomingMessage } from 'node:http';
import type { Client } from './accounts.ts';

/** Who is at the other end, as sessions and login limits remember them. */
export function clientOf({ address, req }: { address: string; req: IncomingMessage }): Client {
  return { address, userAgent: req.headers['user-agent'] ?? null };
}
