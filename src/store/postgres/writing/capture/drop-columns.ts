import type { EventSummary } from '../../../../core/model.ts';
import type { DroppedBy } from '../../../../core/rules/verdict.ts';
import { storedDrops } from '../../../shared/filtered-events.ts';
import type { Sql } from '../../connection/database.ts';

/** What filters dropped of a batch, as columns for one insert. */
export class DropColumns {
  readonly #endpointKeys: number[] = [];
  readonly #seqs: number[] = [];
  readonly #dropped: string[] = [];

  add(event: EventSummary, endpointKey: number, dropped: readonly DroppedBy[]): void {
    if (dropped.length === 0) return;
    this.#endpointKeys.push(endpointKey);
    this.#seqs.push(event.seq);
    this.#dropped.push(storedDrops(dropped, event.receivedAt));
  }

  async write(sql: Sql): Promise<void> {
    if (this.#seqs.length === 0) return;
    await sql.run(
      `INSERT INTO filtered_events (endpoint_key, event_seq, dropped)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])`,
      [this.#endpointKeys, this.#seqs, this.#dropped],
      'append filtered',
    );
  }
}
