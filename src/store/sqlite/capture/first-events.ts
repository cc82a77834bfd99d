import type { Database, Statement } from 'better-sqlite3';
import { isOtherBody, type OnceKey } from '../../../core/proof/dedupe.ts';
import type { FirstEvent } from '../../shared/capture/captured-event.ts';
import { FIRST_EVENT } from '../../shared/events/event-columns.ts';

/** The event that claims a once-only key. */
interface Claimant {
  endpointKey: number;
  seq: number;
  eventId: string;
}

/** Stores the first event of each once-only key. All methods run in the writer's transaction. */
export class FirstEvents {
  readonly #claim: Statement<unknown[]>;
  readonly #first: Statement<[number, string], { event_id: string; body: string }>;

  constructor(db: Database) {
    this.#claim = db.prepare(`
      INSERT INTO first_events (${FIRST_EVENT.names}) VALUES (${FIRST_EVENT.marks})
      ON CONFLICT (endpoint_key, once_key) DO NOTHING`);
    this.#first = db.prepare(
      'SELECT event_id, body FROM first_events WHERE endpoint_key = ? AND once_key = ?',
    );
  }

  /** Claims a key for an event. If another event already has the key, returns that event. */
  claim({ endpointKey, seq, eventId }: Claimant, once: OnceKey): FirstEvent | undefined {
    const { key: onceKey, body } = once;
    const row = FIRST_EVENT.values({ endpointKey, onceKey, eventSeq: seq, eventId, body });
    if (this.#claim.run(...row).changes > 0) return;
    const first = this.#first.get(endpointKey, onceKey);
    if (!first) throw new Error('the key is taken, and no event has it');
    return { eventId: first.event_id, isConflicting: isOtherBody(first.body, body) };
  }
}
