import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** By connection: answers that aren't sent completely, in the order of their requests. */
const owed = new WeakMap<Socket, Set<ServerResponse>>();

/** Notes an answer that a connection owes, until it is sent. For connections that Node reads. */
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
 * Calls `then` when a connection has sent the last answer that `isOwed` picks. Calls
 * it at once if there is none, and never if the connection closes first.
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
