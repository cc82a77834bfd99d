import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which the server doesn't know, or doesn't wait for, the end of the current
 * request. Further bytes may be body or another request, so the server ignores them.
 */
const poisoned = new WeakSet<Socket>();
/** Connections that take no further request. The server may still refuse the current request. */
const ended = new WeakSet<Socket>();

/** Makes this answer the last one on the connection. Ignores all further bytes. */
export function poison(req: IncomingMessage, res: ServerResponse): void {
  poisonConnection(req.socket);
  takeLast(req, res);
}

/** Ignores all further bytes of a connection. The caller answers and closes it. */
export function poisonConnection(socket: Socket): void {
  poisoned.add(socket);
}

/** Makes this answer the last one on the connection, but reads the request to its end. */
export function takeLast(req: IncomingMessage, res: ServerResponse): void {
  ended.add(req.socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

export function isPoisoned(socket: Socket): boolean {
  return poisoned.has(socket);
}

export function takesRequests(socket: Socket): boolean {
  return !poisoned.has(socket) && !ended.has(socket);
}
