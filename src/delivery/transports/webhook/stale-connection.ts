import { AttemptFailure } from '../../network/attempt-failure.ts';

/**
 * The receiver closed a connection that earlier requests had used, before it sent
 * any byte of an answer to this request. It may have taken the request or not.
 */
export class StaleConnection extends AttemptFailure {
  constructor(cause: Error) {
    super('reset', 'The receiver closed a kept connection as the request was written.', cause);
  }
}
