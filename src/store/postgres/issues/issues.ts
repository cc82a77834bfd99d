import type { ChannelMessage } from '../../../core/channels/channel.ts';
import type { BroughtSeen } from '../../../core/issues/brought-secret.ts';
import type { EventKind } from '../../../core/issues/event-streak.ts';
import type { Issue, IssueCause, IssueKind, NamedIssue } from '../../../core/issues/issue.ts';
import type {
  AttemptFact,
  CursorName,
  EventFact,
  Expectation,
  FactPage,
  FailureCursor,
  FailureFact,
  Fold,
  IssueFilter,
  IssuePage,
  IssueScope,
  IssueStore,
  IssueWindow,
  NotifiedIssue,
  SourceOutcomes,
  WaitingDestination,
} from '../../contract/issues.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { readBroughtSecrets } from './brought-secrets.ts';
import { QUEUED, queueMessages, tellIssues } from './channel-messages.ts';
import { beat, readExpectations, readExpectationsOf } from './expectations.ts';
import { readAttemptFacts, readEventFacts } from './facts.ts';
import { readFailureFacts, storedCursor } from './failure-facts.ts';
import {
  closingIssues,
  DROP_RESOLVED,
  idleOf,
  issuesByCauses,
  issuesByDestinations,
  openIssues,
} from './kept-issues.ts';
import { readLanes } from './lanes.ts';
import { readOutcomes } from './outcomes.ts';
import { saveFold } from './saved-folds.ts';
import { findIssue, issuesToTell, listIssues, setIssueState } from './shown-issues.ts';
import { unlessStale } from './stale-basis.ts';

/**
 * Every node may call everything at the same time. A fold locks its cursor first: of two
 * nodes that fold the same facts, the second waits for the first and is then refused.
 *
 * Facts end at the horizon: below it nothing appears any more. All reads of the keeper use
 * the connections for long reads, so that no capture waits for them.
 */
export class PostgresIssues implements IssueStore {
  readonly #db: Database;
  readonly #horizons: Horizons;

  constructor(db: Database, horizons: Horizons) {
    this.#db = db;
    this.#horizons = horizons;
  }

  list(scope: IssueScope, filter: IssueFilter, window: IssueWindow): Promise<IssuePage> {
    return this.#db.snapshot((sql) => listIssues(sql, scope, filter, window));
  }

  find(scope: IssueScope, id: string): Promise<NamedIssue | null> {
    return this.#db.one((sql) => findIssue(sql, scope, id));
  }

  setState(
    scope: IssueScope,
    id: string,
    change: Parameters<IssueStore['setState']>[2],
  ): Promise<NamedIssue | 'changed' | null> {
    return this.#db.transaction((sql) => setIssueState(sql, scope, id, change));
  }

  async cursor(name: CursorName): Promise<number> {
    const [row] = await this.#db.rows<{ position: number }>(
      'SELECT position FROM cursors WHERE name = $1',
      [storedCursor(name)],
      'cursor',
    );
    return row?.position ?? 0;
  }

  async attemptFacts(after: number, limit: number): Promise<FactPage<AttemptFact>> {
    const { attemptSeq: horizon } = await this.#horizons.get();
    if (horizon <= after) return { facts: [], scannedTo: after };
    return this.#db.snapshot((sql) => readAttemptFacts(sql, after, { horizon, limit }));
  }

  conflictFacts(after: number, limit: number): Promise<FactPage<EventFact>> {
    return this.#eventFacts('conflict', after, limit);
  }

  unjudgedFacts(after: number, limit: number): Promise<FactPage<EventFact>> {
    return this.#eventFacts('unjudged', after, limit);
  }

  async #eventFacts(kind: EventKind, after: number, limit: number): Promise<FactPage<EventFact>> {
    const { eventSeq: horizon } = await this.#horizons.get();
    if (horizon <= after) return { facts: [], scannedTo: after };
    return this.#db.snapshot((sql) => readEventFacts(sql, kind, after, { horizon, limit }));
  }

  async failureFacts(
    of: FailureCursor,
    after: number,
    limit: number,
  ): Promise<FactPage<FailureFact>> {
    const { eventSeq: horizon } = await this.#horizons.get();
    if (horizon <= after) return { facts: [], scannedTo: after };
    return this.#db.snapshot((sql) => readFailureFacts(sql, of, { after, horizon, limit }));
  }

  lanes(afterKey: number, limit: number): Promise<WaitingDestination[]> {
    return this.#db.snapshot((sql) => readLanes(sql, afterKey, limit));
  }

  outcomes(afterKey: number, limit: number): Promise<SourceOutcomes[]> {
    return this.#db.snapshot((sql) => readOutcomes(sql, afterKey, limit));
  }

  broughtSecrets(afterKey: number, limit: number): Promise<BroughtSeen[]> {
    return this.#db.snapshot((sql) => readBroughtSecrets(sql, afterKey, limit));
  }

  expectations(afterKey: number, limit: number): Promise<Expectation[]> {
    return this.#db.snapshot((sql) => readExpectations(sql, afterKey, limit));
  }

  expectationsOf(endpointKeys: readonly number[]): Promise<Expectation[]> {
    return this.#db.snapshot((sql) => readExpectationsOf(sql, endpointKeys));
  }

  idle(destinationKeys: readonly number[]): ReturnType<IssueStore['idle']> {
    return this.#db.snapshot((sql) => idleOf(sql, destinationKeys));
  }

  byCauses(causes: readonly IssueCause[]): Promise<Issue[]> {
    return this.#db.snapshot((sql) => issuesByCauses(sql, causes));
  }

  byDestinations(
    destinationKeys: readonly number[],
    kinds: readonly IssueKind[],
  ): Promise<Issue[]> {
    return this.#db.snapshot((sql) => issuesByDestinations(sql, destinationKeys, kinds));
  }

  closing(afterKey: number, limit: number): Promise<Issue[]> {
    return this.#db.snapshot((sql) => closingIssues(sql, afterKey, limit));
  }

  openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]> {
    return this.#db.snapshot((sql) => openIssues(sql, kind, afterKey, limit));
  }

  save(fold: Fold): Promise<boolean> {
    return unlessStale(this.#db.transaction((sql) => saveFold(sql, fold)));
  }

  toNotify(now: number, limit: number, exceptUserIds: readonly string[]): Promise<NamedIssue[]> {
    return this.#db.snapshot((sql) => issuesToTell(sql, now, limit, exceptUserIds));
  }

  async notifiedSince(userId: string, since: number): Promise<number> {
    const [row] = await this.#db.rows<{ told: number }>(
      'SELECT count(*) AS told FROM issues WHERE user_id = $1 AND told_at >= $2',
      [userId, since],
      'told since',
    );
    return row?.told ?? 0;
  }

  saveNotified(
    issues: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean> {
    return unlessStale(this.#db.transaction((sql) => tellIssues(sql, issues, messages)));
  }

  queue(messages: readonly ChannelMessage[]): Promise<void> {
    return this.#db.transaction((sql) => queueMessages(sql, messages));
  }

  queued(limit: number): Promise<ChannelMessage[]> {
    return this.#db.rows(QUEUED, [limit], 'queued messages');
  }

  async captured(ids: readonly string[]): Promise<void> {
    await this.#db.run(
      // Sorted: two nodes may forget the same messages at once.
      `DELETE FROM channel_messages WHERE seq IN (
         SELECT seq FROM channel_messages WHERE id = ANY($1) ORDER BY seq FOR UPDATE)`,
      [ids],
      'captured messages',
    );
  }

  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }> {
    return this.#db.transaction((sql) => beat(sql, now, gapMs));
  }

  dropResolved(before: number, most: number): Promise<number> {
    return this.#db.run(DROP_RESOLVED, [before, most]);
  }
}
