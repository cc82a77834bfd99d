import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The unsent answers of each connection, in the order of their requests. */
const owed = new WeakMap<Socket, Set<ServerResponse>>();

/** Records an answer as owed until it is sent. Only for connections that Node reads. */
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
 * Calls `then` when the last owed answer that `isOwed` accepts is sent. Calls `then` at once if
 * there is no such answer. Never calls `then` if the connection closes first.
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
