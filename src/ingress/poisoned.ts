import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which the server doesn't know where the current request ends, or doesn't wait for
 * its end. The bytes that follow may be body or another request, so the server ignores them.
 */
const poisoned = new WeakSet<Socket>();
/**
 * Connections on which the server takes no further request. It may still refuse the current one.
 */
const ended = new WeakSet<Socket>();

/**
 * Makes this request's answer the last one on the connection. The server ignores all further bytes.
 */
export function poison(req: IncomingMessage, res: ServerResponse): void {
  poisonConnection(req.socket);
  takeLast(req, res);
}

/** Marks a connection as poisoned. The caller answers and closes it. */
export function poisonConnection(socket: Socket): void {
  poisoned.add(socket);
}

/**
 * Makes this request's answer the last one on the connection. The server still reads the request to
 * its end.
 */
export function takeLast(req: IncomingMessage, res: ServerResponse): void {
  ended.add(req.socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

export function isPoisoned(socket: Socket): boolean {
  return poisoned.has(socket);
}

/** Returns true if the server takes further requests on a connection. */
export function takesRequests(socket: Socket): boolean {
  return !poisoned.has(socket) && !ended.has(socket);
}
