import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which the end of a request is ambiguous or isn't awaited. The
 * bytes that follow may be its body or the next request: the server ignores them.
 */
const poisoned = new WeakSet<Socket>();
/** Connections that take no further request. The last one may still be refused. */
const ended = new WeakSet<Socket>();

/** Makes this request's answer the connection's last. All further bytes are ignored. */
export function poison(req: IncomingMessage, res: ServerResponse): void {
  poisonConnection(req.socket);
  takeLast(req, res);
}

/** Marks a connection as poisoned. The caller answers and closes it. */
export function poisonConnection(socket: Socket): void {
  poisoned.add(socket);
}

/** Makes this request's answer the connection's last. The request is read to its end. */
export function takeLast(req: IncomingMessage, res: ServerResponse): void {
  ended.add(req.socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

export function isPoisoned(socket: Socket): boolean {
  return poisoned.has(socket);
}

/** Whether the server takes further requests from a connection. */
export function takesRequests(socket: Socket): boolean {
  return !poisoned.has(socket) && !ended.has(socket);
}
