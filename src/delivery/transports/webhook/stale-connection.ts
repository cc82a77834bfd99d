import { AttemptFailure } from '../../network/attempt-failure.ts';

/**
 * The receiver closed a connection that earlier requests had used, before any
 * byte of an answer to this one. Whether it took the request cannot be known.
 */
export class StaleConnection extends AttemptFailure {
  constructor(cause: Error) {
    super('reset', 'The receiver closed a kept connection as the request was written.', cause);
  }
}
