import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { HealthState } from '../../../core/flow/health.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Settlement } from '../../contract/queue.ts';
import { Columns, type RowOf } from '../../shared/columns.ts';
import { controlOf } from '../../shared/destinations/claimed-destination.ts';
import { slotClassColumn, slotClassOf } from '../../shared/destinations/slot-class-column.ts';
import { FlowChanges, signOf } from '../../shared/queue/flow-changes.ts';
import { SlotClassChanges } from '../../shared/queue/slot-class-changes.ts';
import type { Sql } from '../connection/database.ts';
import { CHANGED_FLOW, SAVE_FLOWS } from './change-flows.ts';

const CONTROL = new Columns({
  key: 'bigint',
  timedOut: 'boolean?',
  settings: 'text',
  flow: 'text?',
});
type ControlRow = RowOf<typeof CONTROL>;
const CONTROLS = `SELECT ${CONTROL.read('d')} FROM destinations d`;

const SLOT_CLASS = CONTROL.only('key', 'timedOut');

/** Returns whether a person edited the event of a claim. */
type IsEdited = (claim: ClaimedDelivery) => boolean;

/**
 * Changes the slot classes and flows of destinations after the attempts of one commit.
 *
 * Most attempts change nothing, because a healthy destination answers them. They lock no
 * destination. Otherwise nodes would wait for each other's commits at a busy destination, and a
 * rate's starts and slots would wait for the fsync. Destinations that change are locked and then
 * read again, so the breaker counts failures of all nodes.
 *
 * `Rounds` has the order of these locks.
 */
export class DestinationChanges {
  readonly #slotClasses: SlotClassChanges;
  readonly #flows: FlowChanges;
  readonly #isEdited: IsEdited;

  private constructor(
    rows: ReadonlyMap<number, ControlRow>,
    terms: BreakerTerms,
    isEdited: IsEdited,
  ) {
    const { slotClasses, flows } = changesOf((key) => rows.get(key), terms);
    this.#slotClasses = slotClasses;
    this.#flows = flows;
    this.#isEdited = isEdited;
  }

  /** @param settlements only those with a live claim, because others change no destination */
  static async lock(
    sql: Sql,
    settlements: readonly Settlement[],
    terms: BreakerTerms,
    isEdited: IsEdited,
  ): Promise<DestinationChanges> {
    const byKey = Map.groupBy(settlements, ({ claim }) => claim.destination.key);
    if (byKey.size === 0) return new DestinationChanges(new Map(), terms, isEdited);
    const found = await sql.rows<ControlRow>(
      `${CONTROLS} WHERE d.key = ANY($1)`,
      [[...byKey.keys()]],
      'controls',
    );
    const rows = new Map(found.map((row) => [row.key, row]));
    const changing = found.filter((row) => changes(row, byKey.get(row.key) ?? [], terms, isEdited));
    if (changing.length > 0) {
      const locked = await sql.rows<ControlRow>(
        `${CONTROLS} WHERE d.key = ANY($1) ORDER BY d.key FOR NO KEY UPDATE`,
        [changing.map(({ key }) => key)],
        'lock controls',
      );
      for (const row of locked) rows.set(row.key, row);
    }
    return new DestinationChanges(rows, terms, isEdited);
  }

  /**
   * Adds a recorded attempt. Call it in the order of the attempts. Returns the destination's health
   * if this attempt changes it, otherwise null.
   */
  add(settlement: Settlement): HealthState | null {
    const { key } = settlement.claim.destination;
    this.#slotClasses.add(key, { timedOut: settlement.timedOut });
    return this.#flows.add(key, signOf(settlement, this.#isEdited(settlement.claim)));
  }

  async write(sql: Sql): Promise<void> {
    const slotClasses = this.#slotClasses.changed();
    if (slotClasses.length > 0) {
      await sql.run(
        `UPDATE destinations d SET timed_out = h.timed_out
         FROM ${SLOT_CLASS.unnest('h')} WHERE d.key = h.key`,
        SLOT_CLASS.arrays(
          slotClasses.map(([key, slotClass]) => ({ key, timedOut: slotClassColumn(slotClass) })),
        ),
        'move slot classes',
      );
    }
    const flows = this.#flows.changed();
    if (flows.length > 0) {
      const changed = flows.map(([key, flow]) => ({ key, flow }));
      await sql.run(SAVE_FLOWS, CHANGED_FLOW.arrays(changed), 'move flows');
    }
  }
}

function changesOf(
  rowOf: (key: number) => ControlRow | undefined,
  terms: BreakerTerms,
): { slotClasses: SlotClassChanges; flows: FlowChanges } {
  return {
    // A deleted destination counts as untried, because no row can store its slot class.
    slotClasses: new SlotClassChanges((key) => slotClassOf(rowOf(key)?.timedOut ?? null)),
    flows: new FlowChanges((key) => {
      const row = rowOf(key);
      return row ? controlOf(row) : null;
    }, terms),
  };
}

/** Returns whether these attempts change the destination's row. */
function changes(
  row: ControlRow,
  settlements: readonly Settlement[],
  terms: BreakerTerms,
  isEdited: IsEdited,
): boolean {
  const { slotClasses, flows } = changesOf(() => row, terms);
  for (const one of settlements) {
    slotClasses.add(row.key, one);
    flows.add(row.key, signOf(one, isEdited(one.claim)));
  }
  return slotClasses.changed().length > 0 || flows.changed().length > 0;
}
