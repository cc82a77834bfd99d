import type { Socket } from 'node:net';
import { isCaptureTarget } from './capture-target.ts';
import { afterLastAnswer } from './owed-answers.ts';

/**
 * Gives a connection to Node by `attach`. Node learns that the sender ended its
 * side only after the captures before that are answered: it would end our side
 * at once, and the answers that it owes would be lost.
 *
 * Other requests get no such grace: a reader that leaves must free its stream.
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
