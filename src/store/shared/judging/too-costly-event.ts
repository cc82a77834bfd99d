import { HookrelayError } from '../../../core/errors.ts';

/** Thrown if judging an event takes too many steps. */
export class TooCostlyEvent extends HookrelayError {
  readonly seq: number;
  readonly eventId: string;

  constructor({ seq, id }: { seq: number; id: string }) {
    super('search_too_long', `the rule takes too many steps on event ${id}`, {
      hint: 'shorten the rule, or exclude the event by its time (from, to)',
    });
    this.seq = seq;
    this.eventId = id;
  }
}
