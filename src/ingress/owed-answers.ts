import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** By connection: answers that are not sent to their end, in the order of their requests. */
const owed = new WeakMap<Socket, Set<ServerResponse>>();

/** Notes that a connection of Node's owes an answer, until it is sent. */
export function noteOwed(socket: Socket, answer: ServerResponse): void {
  let answers = owed.get(socket);
  if (!answers) {
    answers = new Set();
    owed.set(socket, answers);
  }
  answers.add(answer);
  answer.once('finish', () => answers.delete(answer));
}

/**
 * Calls `then` when a connection has sent the last of its answers that `isOwed`
 * picks: at once where there is none, never where the connection closes first.
 */
export function afterLastAnswer(
  socket: Socket,
  isOwed: (answer: ServerResponse) => boolean,
  then: () => void,
): void {
  const last = [...(owed.get(socket) ?? [])].findLast(isOwed);
  if (last) last.once('finish', then);
  else then();
}
