import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { HealthState } from '../../../core/flow/health.ts';
import type { Settlement } from '../../contract/queue.ts';
import { controlOf } from '../../shared/claimed-destination.ts';
import {
  type HealthColumn,
  healthColumn,
  healthOf,
} from '../../shared/destination-health-column.ts';
import { FlowChanges, signOf } from '../../shared/flow-changes.ts';
import { HealthChanges } from '../../shared/health-changes.ts';
import type { Sql } from '../connection/database.ts';

interface ControlRow {
  key: number;
  timedOut: HealthColumn;
  settings: string;
  flow: string | null;
}

const COLUMNS = 'key, timed_out AS "timedOut", settings, flow';

/**
 * How the attempts of one commit change their destinations: health and flow. Most
 * attempts are answered by a healthy destination, and change nothing. They take no lock:
 * with one, nodes would wait for each other's commits at a busy destination, and its rate
 * and its slots would wait for the fsync. All other destinations are locked and read again, so that two nodes lose no
 * failure of a breaker's count.
 *
 * For the place of these locks see `Rounds`.
 */
export class DestinationChanges {
  readonly #healths: HealthChanges;
  readonly #flows: FlowChanges;

  private constructor(rows: ReadonlyMap<number, ControlRow>, terms: BreakerTerms) {
    const { healths, flows } = changesOf((key) => rows.get(key), terms);
    this.#healths = healths;
    this.#flows = flows;
  }

  /** @param settlements those whose claims are live: no others change a destination */
  static async lock(
    sql: Sql,
    settlements: readonly Settlement[],
    terms: BreakerTerms,
  ): Promise<DestinationChanges> {
    const byKey = Map.groupBy(settlements, ({ claim }) => claim.destination.key);
    if (byKey.size === 0) return new DestinationChanges(new Map(), terms);
    const found = await sql.rows<ControlRow>(
      `SELECT ${COLUMNS} FROM destinations WHERE key = ANY($1)`,
      [[...byKey.keys()]],
      'controls',
    );
    const rows = new Map(found.map((row) => [row.key, row]));
    const changing = found.filter((row) => changes(row, byKey.get(row.key) ?? [], terms));
    if (changing.length > 0) {
      const locked = await sql.rows<ControlRow>(
        `SELECT ${COLUMNS} FROM destinations WHERE key = ANY($1)
         ORDER BY key FOR NO KEY UPDATE`,
        [changing.map(({ key }) => key)],
        'lock controls',
      );
      for (const row of locked) rows.set(row.key, row);
    }
    return new DestinationChanges(rows, terms);
  }

  /**
   * Adds the next recorded attempt, in order. Returns the destination's health where this
   * attempt changed it.
   */
  add(settlement: Settlement): HealthState | null {
    const { key } = settlement.claim.destination;
    this.#healths.add(key, { timedOut: settlement.timedOut });
    return this.#flows.add(key, signOf(settlement));
  }

  async write(sql: Sql): Promise<void> {
    const healths = this.#healths.changed();
    if (healths.length > 0) {
      await sql.run(
        `UPDATE destinations d SET timed_out = h.timed_out
         FROM unnest($1::bigint[], $2::boolean[]) AS h(key, timed_out) WHERE d.key = h.key`,
        [healths.map(([key]) => key), healths.map(([, health]) => healthColumn(health))],
        'move healths',
      );
    }
    const flows = this.#flows.changed();
    if (flows.length > 0) {
      await sql.run(
        `UPDATE destinations d SET flow = f.flow
         FROM unnest($1::bigint[], $2::text[]) AS f(key, flow) WHERE d.key = f.key`,
        [flows.map(([key]) => key), flows.map(([, flow]) => flow)],
        'move flows',
      );
    }
  }
}

function changesOf(
  rowOf: (key: number) => ControlRow | undefined,
  terms: BreakerTerms,
): { healths: HealthChanges; flows: FlowChanges } {
  return {
    // Untried where the destination is gone: no row is left to store a health in.
    healths: new HealthChanges((key) => healthOf(rowOf(key)?.timedOut ?? null)),
    flows: new FlowChanges((key) => {
      const row = rowOf(key);
      return row ? controlOf(row) : null;
    }, terms),
  };
}

/** Whether these attempts change the row as it was read. */
function changes(
  row: ControlRow,
  settlements: readonly Settlement[],
  terms: BreakerTerms,
): boolean {
  const { healths, flows } = changesOf(() => row, terms);
  for (const one of settlements) {
    healths.add(row.key, one);
    flows.add(row.key, signOf(one));
  }
  return healths.changed().length > 0 || flows.changed().length > 0;
}
