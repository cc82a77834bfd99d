import type { Socket } from 'node:net';
import { isCaptureTarget } from './capture-target.ts';
import { afterLastAnswer } from './owed-answers.ts';

/**
 * Gives a connection to Node by `attach`, and delays the sender's `end` event until
 * all captures before it are answered. Otherwise Node would end our side at once
 * and lose the answers that it owes.
 *
 * Other requests don't delay `end`: a reader that leaves must free its stream.
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
