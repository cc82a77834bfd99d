import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which a request was refused whose end can't be told for sure,
 * or wasn't waited for. What follows on them may be its body or the next
 * request: none of it is looked at any more.
 */
const condemned = new WeakSet<Socket>();

/** This request's answer is the connection's last. */
export function condemn(req: IncomingMessage, res: ServerResponse): void {
  condemned.add(req.socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

export function isCondemned(socket: Socket): boolean {
  return condemned.has(socket);
}
