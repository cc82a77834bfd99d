import { afterChange } from '../../../core/flow/after-change.ts';
import { readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { limitReached } from '../../../core/limits.ts';
import type { Destination } from '../../../core/model.ts';
import { changesVerdicts } from '../../../core/settings/destination-settings.ts';
import type {
  ChangeStamp,
  DestinationCondition,
  DestinationPatch,
  DestinationStore,
  NewDestination,
  RuleVersion,
} from '../../contract/destinations.ts';
import {
  CHANGED_DESTINATION,
  changedDestinationRow,
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
  NEW_DESTINATION,
  newDestinationRow,
} from '../../shared/destinations/destination-rows.ts';
import { mayWork, patched, settingsOf, storedSettings } from '../../shared/stored-settings.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate } from '../connection/locks.ts';
import { storable, storableRow } from '../connection/storable.ts';
import { endIssuesOfDestination } from '../issues/issue-ends.ts';
import { saveFlow } from '../queue/change-flows.ts';
import type { LaneMarks } from '../queue/lane-marks.ts';
import type { Rounds } from '../queue/rounds.ts';
import { conditionsOf } from './conditions.ts';
import { changeRule, IS_JUDGED, ruleVersions } from './destination-rules.ts';

/** At most this many deliveries are cancelled in one commit. A destination may have a million. */
const CANCEL_SLICE = 1000;

const PRESENT = `destinations d JOIN endpoints p ON p.key = d.endpoint_key
  WHERE d.endpoint_key = $1 AND d.removed_at IS NULL AND p.deleted_at IS NULL`;

/**
 * Stores destinations. A change closes the endpoint's gate. So a capture that has passed the gate
 * reads the same settings and destinations until it commits.
 *
 * A change that frees deliveries notes their due time in `LaneMarks`. The caller's `due` signal
 * then sends that time to the other nodes.
 */
export class PostgresDestinations implements DestinationStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #marks: LaneMarks;

  constructor(db: Database, rounds: Rounds, marks: LaneMarks) {
    this.#db = db;
    this.#rounds = rounds;
    this.#marks = marks;
  }

  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null> {
    return this.#db.transaction(async (sql) => {
      // The closed gate serializes additions, so they can't exceed the limit together.
      await closeGate(sql, endpointKey);
      if (!(await isAlive(sql, endpointKey))) return null;
      const [has] = await sql.rows<{ destinations: number }>(
        `SELECT count(*) AS destinations FROM destinations
         WHERE endpoint_key = $1 AND removed_at IS NULL`,
        [endpointKey],
      );
      if (has && has.destinations >= most) throw limitReached('destinations', most);
      return addDestination(sql, endpointKey, destination);
    });
  }

  async get(endpointKey: number, destinationId: string): Promise<Destination | null> {
    const row = await find(this.#db, endpointKey, destinationId);
    return row ? destinationOf(row) : null;
  }

  async list(endpointKey: number): Promise<Destination[]> {
    const rows = await this.#db.rows<DestinationRow>(
      `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} ORDER BY d.key DESC`,
      [endpointKey],
    );
    return rows.map(destinationOf);
  }

  async update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null> {
    const updated = await this.#db.transaction((sql) =>
      changeDestination(sql, endpointKey, destinationId, patch, change),
    );
    if (updated === null || updated === 'changed') return updated;
    this.#note(updated.after.key, updated.oldest);
    return updated.after;
  }

  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]> {
    return this.#db.snapshot((sql) => conditionsOf(sql, endpointKey, destinationId));
  }

  async probe(endpointKey: number, destinationId: string, now: number): Promise<boolean> {
    const probed = await this.#db.transaction(async (sql) => {
      const found = await lock(sql, endpointKey, destinationId);
      if (!found) return null;
      const flow = readFlow(found.flow);
      const { breaker } = flow;
      if (breaker) {
        await saveFlow(sql, found.key, { ...flow, breaker: { ...breaker, nextProbeAt: now } });
      }
      return { key: found.key, oldest: await oldestDue(sql, found.key) };
    });
    if (probed) this.#note(probed.key, probed.oldest);
    return probed !== null;
  }

  async discard(endpointKey: number, destinationId: string): Promise<number | null> {
    const found = await find(this.#db, endpointKey, destinationId);
    if (!found) return null;
    // Cancel only deliveries of events that exist now. Otherwise a busy destination would never
    // become empty.
    const [newest] = await this.#db.rows<{ upTo: number | null }>(
      'SELECT max(event_seq) AS "upTo" FROM open_deliveries WHERE destination_key = $1',
      [found.key],
    );
    const upTo = newest?.upTo ?? null;
    if (upTo === null) return 0;
    let total = 0;
    for (;;) {
      const { cancelled, more, freed } = await this.#db.transaction((sql) =>
        this.#rounds.cancelOpen(sql, found.key, CANCEL_SLICE, upTo),
      );
      this.#rounds.noteFreed(freed);
      total += cancelled;
      if (!more) return total;
    }
  }

  async rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null> {
    const found = await find(this.#db, endpointKey, destinationId);
    return found ? ruleVersions(this.#db, found.key) : null;
  }

  async remove(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean> {
    const cancelSlice = async (sql: Sql) => {
      const found = await find(sql, endpointKey, destinationId);
      if (!found) return { more: false, freed: [] };
      return this.#rounds.cancelOpen(sql, found.key, CANCEL_SLICE);
    };
    // Slices cancel most deliveries while the destination still exists, so the removal can be
    // repeated after a crash. The last commit cancels the rest and removes the destination.
    while (cancelPending) {
      const { more, freed } = await this.#db.transaction(cancelSlice);
      this.#rounds.noteFreed(freed);
      if (!more) break;
    }
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, endpointKey);
      const found = await find(sql, endpointKey, destinationId);
      if (!found) return false;
      // Lock events and deliveries before their destination (see `Rounds`). The closed gate keeps
      // other transactions from adding deliveries in between.
      if (cancelPending) await this.#rounds.cancelOpen(sql, found.key, Number.MAX_SAFE_INTEGER);
      // Activate the destination, because nobody can resume a removed one. Its open deliveries run
      // to their end.
      const settings = storedSettings({ ...settingsOf(found.settings), state: 'active' });
      await sql.run('UPDATE destinations SET removed_at = $1, settings = $2 WHERE key = $3', [
        now,
        settings,
        found.key,
      ]);
      await endIssuesOfDestination(sql, found.key, now);
      await noteChange(sql, endpointKey);
      return true;
    });
  }

  /** Notes the due time in `LaneMarks`, for this node's polls and its next `due` signal. */
  #note(destinationKey: number, oldest: number | null): void {
    if (oldest !== null) this.#marks.note(destinationKey, oldest);
  }
}

/**
 * Adds a destination in the caller's transaction. The caller has closed the endpoint's gate, or no
 * other transaction can see the endpoint yet.
 */
export async function addDestination(
  sql: Sql,
  endpointKey: number,
  destination: NewDestination,
): Promise<Destination> {
  const { settings, createdAt, createdBy = null } = destination;
  const [row] = await sql.rows<DestinationRow>(
    `INSERT INTO destinations AS d (${NEW_DESTINATION.names})
     VALUES (${NEW_DESTINATION.numbers()}) RETURNING ${DESTINATION_COLUMNS}`,
    NEW_DESTINATION.values(storableRow(newDestinationRow(endpointKey, destination))),
  );
  const added = destinationOf(row as DestinationRow);
  if (settings.filter !== null) {
    added.ruleVersion = await changeRule(sql, added.key, settings.filter, {
      at: createdAt,
      by: createdBy,
    });
  }
  await noteChange(sql, endpointKey);
  return added;
}

/**
 * Changes a destination in the caller's transaction. `oldest` is the due time of the destination's
 * oldest open delivery, Unix ms. The caller passes it to `LaneMarks.note` after the commit.
 */
export async function changeDestination(
  sql: Sql,
  endpointKey: number,
  destinationId: string,
  patch: DestinationPatch,
  change: ChangeStamp,
): Promise<{ after: Destination; oldest: number | null } | 'changed' | null> {
  await closeGate(sql, endpointKey);
  const found = await lock(sql, endpointKey, destinationId);
  if (!found) return null;
  const before = destinationOf(found);
  if (change.version !== undefined && change.version !== before.version) return 'changed';
  const wanted = patched(before, patch);
  const { key, settings } = wanted;
  const oldest = await oldestDue(sql, key);
  const flow = afterChange(readFlow(found.flow), {
    before: before.settings,
    after: settings,
    mayWork: mayWork(patch),
    hasWaiting: oldest !== null,
    now: change.at,
  });
  const wasAuto = before.settings.concurrency === 'auto';
  // Attempts without a slot may still be running.
  const crowded = settings.concurrency !== 'auto' && (wasAuto || flow.crowded) ? true : null;
  const changed = changedDestinationRow(wanted, storedFlow({ ...flow, crowded }));
  const [row] = await sql.rows<DestinationRow>(
    `UPDATE destinations d
     SET (${CHANGED_DESTINATION.names}) = (${CHANGED_DESTINATION.numbers(2)}),
       version = version + 1
     WHERE d.key = $1 RETURNING ${DESTINATION_COLUMNS}`,
    [key, ...CHANGED_DESTINATION.values(storableRow(changed))],
  );
  const after = destinationOf(row as DestinationRow);
  if (settings.filter !== before.settings.filter) {
    after.ruleVersion = await changeRule(sql, key, settings.filter, change);
  }
  if (changesVerdicts(before.settings, settings)) await noteChange(sql, endpointKey);
  return { after, oldest };
}

async function find(
  sql: Sql,
  endpointKey: number,
  destinationId: string,
): Promise<DestinationRow | undefined> {
  const [row] = await sql.rows<DestinationRow>(
    `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} AND d.id = $2`,
    [endpointKey, storable(destinationId)],
  );
  return row;
}

/** Like `find`, but locks the row. */
async function lock(
  sql: Sql,
  endpointKey: number,
  destinationId: string,
): Promise<DestinationRow | undefined> {
  const [row] = await sql.rows<DestinationRow>(
    `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} AND d.id = $2 FOR NO KEY UPDATE OF d`,
    [endpointKey, storable(destinationId)],
  );
  return row;
}

/** Returns the earliest due time of the open deliveries that aren't behind another, or null. */
export async function oldestDue(sql: Sql, destinationKey: number): Promise<number | null> {
  const [row] = await sql.rows<{ dueAt: number }>(
    `SELECT next_attempt_at AS "dueAt" FROM open_deliveries
     WHERE destination_key = $1 AND NOT behind ORDER BY next_attempt_at LIMIT 1`,
    [destinationKey],
  );
  return row?.dueAt ?? null;
}

async function isAlive(sql: Sql, endpointKey: number): Promise<boolean> {
  const rows = await sql.rows('SELECT 1 FROM endpoints WHERE key = $1 AND deleted_at IS NULL', [
    endpointKey,
  ]);
  return rows.length > 0;
}

/** Increments the endpoint's settings version, and counts its destinations that need verdicts. */
async function noteChange(sql: Sql, endpointKey: number): Promise<void> {
  await sql.run(
    `UPDATE endpoints SET settings_version = settings_version + 1,
       filters = (SELECT count(*) FROM destinations
         WHERE endpoint_key = $1 AND removed_at IS NULL AND ${IS_JUDGED})
     WHERE key = $1`,
    [endpointKey],
  );
}
