import { AttemptFailure } from '../../../network/attempt-failure.ts';

/** The receiver closed a kept connection before it answered. It may have processed the request. */
export class StaleConnection extends AttemptFailure {
  constructor(cause: Error) {
    super('reset', 'The receiver closed a kept connection as the request was written.', cause);
  }
}
