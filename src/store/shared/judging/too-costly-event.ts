import { HookrelayError } from '../../../core/errors.ts';

/** Whether an event fits takes too many steps to say. */
export class TooCostlyEvent extends HookrelayError {
  readonly seq: number;
  readonly eventId: string;

  constructor({ seq, id }: { seq: number; id: string }) {
    super('search_too_long', `the rule takes too many steps on event ${id}`, {
      hint: 'make the rule shorter, or leave the event out by its time (from, to)',
    });
    this.seq = seq;
    this.eventId = id;
  }
}
