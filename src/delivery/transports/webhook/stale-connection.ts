import { AttemptFailure } from '../../network/attempt-failure.ts';

/**
 * The receiver closed a kept connection before it answered the request. The receiver may or may not
 * have processed the request.
 */
export class StaleConnection extends AttemptFailure {
  constructor(cause: Error) {
    super('reset', 'The receiver closed a kept connection as the request was written.', cause);
  }
}
