import type { Socket } from 'node:net';
import { isCaptureTarget } from './capture-target.ts';
import { afterLastAnswer } from './owed-answers.ts';

/**
 * Gives a connection to Node by `attach`. Delays the connection's `end` event until its captures
 * are answered. Otherwise Node would close the server's side at `end`, and the captures would get
 * no answers.
 *
 * Other requests don't delay `end`, because a client that leaves an event stream must free the
 * stream.
 */
export function endAfterCaptures(socket: Socket, attach: () => void): void {
  const before = new Set(socket.listeners('end'));
  attach();
  for (const listener of socket.listeners('end') as (() => void)[]) {
    if (before.has(listener)) continue;
    socket.off('end', listener);
    socket.on('end', () => {
      afterLastAnswer(
        socket,
        ({ req }) => req.complete && isCaptureTarget(req.url as string),
        () => listener.call(socket),
      );
    });
  }
}
