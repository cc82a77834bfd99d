import type { Database, Statement } from 'better-sqlite3';
import { afterChange } from '../../../core/flow/after-change.ts';
import { readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { limitReached } from '../../../core/limits.ts';
import type { Destination } from '../../../core/model.ts';
import { changesVerdicts } from '../../../core/settings/destination-settings.ts';
import type {
  ChangeStamp,
  DestinationPatch,
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
import { mayWork, patched, storedSettings } from '../../shared/stored-settings.ts';
import type { Writer } from '../files/writer.ts';
import { IssueEnds } from '../issues/issue-ends.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { DestinationRules, IS_JUDGED } from './destination-rules.ts';

/** The largest number of deliveries that one commit cancels. */
const CANCEL_SLICE = 1000;

const PRESENT = `destinations d JOIN endpoints p ON p.key = d.endpoint_key
  WHERE d.endpoint_key = ? AND d.removed_at IS NULL AND p.deleted_at IS NULL`;

export class SqliteDestinations implements Writes<'destinations'> {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #find: Statement<[number, string], DestinationRow>;
  readonly #noteChange: Statement<[number]>;
  readonly #rules: DestinationRules;
  readonly #ends: IssueEnds;

  constructor(db: Database, writer: Writer, rounds: Rounds) {
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#find = db.prepare(`SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} AND d.id = ?`);
    this.#noteChange = db.prepare(`
      UPDATE endpoints SET settings_version = settings_version + 1,
        filters = (SELECT count(*) FROM destinations
          WHERE endpoint_key = endpoints.key AND removed_at IS NULL AND ${IS_JUDGED})
      WHERE key = ?`);
    this.#rules = new DestinationRules(db);
    this.#ends = new IssueEnds(db);
  }

  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null> {
    const count = this.#db
      .prepare<[number], number>(
        'SELECT count(*) FROM destinations WHERE endpoint_key = ? AND removed_at IS NULL',
      )
      .pluck();
    const alive = this.#db.prepare('SELECT 1 FROM endpoints WHERE key = ? AND deleted_at IS NULL');
    return this.#writer.write(() => {
      if (!alive.get(endpointKey)) return null;
      if (Number(count.get(endpointKey)) >= most) throw limitReached('destinations', most);
      return this.addNow(endpointKey, destination);
    });
  }

  /** Adds a destination to an existing endpoint. Runs in the caller's transaction. */
  addNow(endpointKey: number, destination: NewDestination): Destination {
    const { id, settings, createdAt, createdBy = null } = destination;
    this.#db
      .prepare(`
        INSERT INTO destinations (${NEW_DESTINATION.names}) VALUES (${NEW_DESTINATION.marks})`)
      .run(NEW_DESTINATION.values(newDestinationRow(endpointKey, destination)));
    const added = this.#found(endpointKey, id) as Destination;
    if (settings.filter !== null)
      this.#rules.change(added.key, settings.filter, { at: createdAt, by: createdBy });
    this.#noteChange.run(endpointKey);
    return this.#found(endpointKey, id) as Destination;
  }

  async get(endpointKey: number, destinationId: string): Promise<Destination | null> {
    return this.#found(endpointKey, destinationId);
  }

  async list(endpointKey: number): Promise<Destination[]> {
    return this.#db
      .prepare<[number], DestinationRow>(
        `SELECT ${DESTINATION_COLUMNS} FROM ${PRESENT} ORDER BY d.key DESC`,
      )
      .all(endpointKey)
      .map(destinationOf);
  }

  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null> {
    return this.#writer.write(() => this.updateNow(endpointKey, destinationId, patch, change));
  }

  /** Changes a destination. Runs in the caller's transaction. */
  updateNow(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Destination | 'changed' | null {
    const update = this.#db.prepare(`
      UPDATE destinations SET (${CHANGED_DESTINATION.names}) = (${CHANGED_DESTINATION.marks}),
        version = version + 1
      WHERE key = ?`);
    const isWaiting = this.#db.prepare('SELECT 1 FROM open_deliveries WHERE destination_key = ?');
    const row = this.#find.get(endpointKey, destinationId);
    if (!row) return null;
    const found = destinationOf(row);
    if (change.version !== undefined && change.version !== found.version) return 'changed';
    const after = patched(found, patch);
    const flow = afterChange(readFlow(row.flow), {
      before: found.settings,
      after: after.settings,
      mayWork: mayWork(patch),
      hasWaiting: isWaiting.get(found.key) !== undefined,
      now: change.at,
    });
    const changed = changedDestinationRow(after, storedFlow(flow));
    update.run(CHANGED_DESTINATION.values(changed), found.key);
    if (after.settings.filter !== found.settings.filter)
      this.#rules.change(found.key, after.settings.filter, change);
    if (changesVerdicts(found.settings, after.settings)) this.#noteChange.run(endpointKey);
    return this.#found(endpointKey, destinationId);
  }

  probe(endpointKey: number, destinationId: string, now: number): Promise<boolean> {
    const save = this.#db.prepare('UPDATE destinations SET flow = ? WHERE key = ?');
    return this.#writer.write(() => {
      const row = this.#find.get(endpointKey, destinationId);
      if (!row) return false;
      const flow = readFlow(row.flow);
      const { breaker } = flow;
      if (breaker) {
        save.run(storedFlow({ ...flow, breaker: { ...breaker, nextProbeAt: now } }), row.key);
      }
      return true;
    });
  }

  async discard(endpointKey: number, destinationId: string): Promise<number | null> {
    const found = this.#found(endpointKey, destinationId);
    if (!found) return null;
    // Deliveries of later events stay. Otherwise a busy destination would never be finished.
    const upTo = this.#db
      .prepare<[number], number | null>(
        'SELECT max(event_seq) FROM open_deliveries WHERE destination_key = ?',
      )
      .pluck()
      .get(found.key);
    if (upTo == null) return 0;
    let cancelled = 0;
    for (;;) {
      const slice = await this.#writer.write(() =>
        this.#rounds.cancelOpen(found.key, CANCEL_SLICE, upTo),
      );
      cancelled += slice;
      if (slice < CANCEL_SLICE) return cancelled;
    }
  }

  async rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null> {
    const found = this.#found(endpointKey, destinationId);
    return found && this.#rules.versions(found.key);
  }

  async remove(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean> {
    // Nobody can resume a removed destination, so its open deliveries must not stay paused.
    const remove = this.#db.prepare(
      'UPDATE destinations SET removed_at = ?, settings = ? WHERE key = ?',
    );
    const cancelSlice = () => {
      const found = this.#found(endpointKey, destinationId);
      return found ? this.#rounds.cancelOpen(found.key, CANCEL_SLICE) : 0;
    };
    // The destination still exists while the slices cancel its deliveries, so the removal can be
    // repeated after a crash. The last commit cancels the rest and removes the destination.
    if (cancelPending) while ((await this.#writer.write(cancelSlice)) === CANCEL_SLICE);
    return this.#writer.write(() => {
      const found = this.#found(endpointKey, destinationId);
      if (!found) return false;
      remove.run(now, storedSettings({ ...found.settings, state: 'active' }), found.key);
      this.#noteChange.run(endpointKey);
      if (cancelPending) this.#rounds.cancelOpen(found.key, Number.MAX_SAFE_INTEGER);
      this.#ends.ofDestination(found.key, now);
      return true;
    });
  }

  #found(endpointKey: number, destinationId: string): Destination | null {
    const row = this.#find.get(endpointKey, destinationId);
    return row ? destinationOf(row) : null;
  }
}
