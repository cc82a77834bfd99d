import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which the end of a request is not known for sure, or was not
 * waited for. What follows may be its body or the next request: the server
 * ignores it.
 */
const poisoned = new WeakSet<Socket>();
/** Connections whose last request is taken; that one may still be refused. */
const ended = new WeakSet<Socket>();

/** This request's answer is the connection's last, and nothing more of it is read. */
export function poison(req: IncomingMessage, res: ServerResponse): void {
  poisonConnection(req.socket);
  takeLast(req, res);
}

/** Nothing more is read on it; the caller answers, and closes it. */
export function poisonConnection(socket: Socket): void {
  poisoned.add(socket);
}

/** This request is read to its end, and its answer is the connection's last. */
export function takeLast(req: IncomingMessage, res: ServerResponse): void {
  ended.add(req.socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

export function isPoisoned(socket: Socket): boolean {
  return poisoned.has(socket);
}

/** Whether the server takes further requests on it. */
export function takesRequests(socket: Socket): boolean {
  return !poisoned.has(socket) && !ended.has(socket);
}
