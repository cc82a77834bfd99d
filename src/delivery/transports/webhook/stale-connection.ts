import { AttemptFailure } from '../../network/attempt-failure.ts';

/**
 * The receiver closed a connection of earlier requests before it answered this one. It may or may
 * not have taken the request.
 */
export class StaleConnection extends AttemptFailure {
  constructor(cause: Error) {
    super('reset', 'The receiver closed a kept connection as the request was written.', cause);
  }
}
