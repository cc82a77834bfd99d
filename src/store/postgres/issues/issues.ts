import type { EventKind } from '../../../core/issues/event-streak.ts';
import type { FactPage, IssueStore } from '../../contract/issues.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database, Sql } from '../connection/database.ts';
import { readBroughtSecrets } from './brought-secrets.ts';
import { captured, QUEUED, queueMessages, saveNotified } from './channel-messages.ts';
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
import { findIssue, issuesToNotify, listIssues, setIssueState } from './shown-issues.ts';
import { unlessStale } from './stale-basis.ts';

/**
 * Stores issues. All nodes may call everything at the same time. A fold locks its cursor first. If
 * two nodes fold the same facts, the second waits for the first and is then refused.
 *
 * Facts end at the horizon, below which no new row can appear. All reads of the issue keeper use
 * the connections for long reads, so no capture waits for them.
 */
export function postgresIssues(db: Database, horizons: Horizons): IssueStore {
  /** Reads facts from a snapshot that shows everything up to the horizon. */
  async function facts<Fact>(
    of: 'attemptSeq' | 'eventSeq',
    after: number,
    read: (sql: Sql, horizon: number) => Promise<FactPage<Fact>>,
  ): Promise<FactPage<Fact>> {
    const { [of]: horizon } = await horizons.get();
    if (horizon <= after) return { facts: [], scannedTo: after };
    return db.snapshot((sql) => read(sql, horizon));
  }
  const eventFacts = (kind: EventKind, after: number, limit: number) =>
    facts('eventSeq', after, (sql, horizon) =>
      readEventFacts(sql, kind, after, { horizon, limit }),
    );
  return {
    list: (...args) => db.snapshot((sql) => listIssues(sql, ...args)),
    find: (...args) => db.one((sql) => findIssue(sql, ...args)),
    setState: (...args) => db.transaction((sql) => setIssueState(sql, ...args)),
    async cursor(name) {
      const [row] = await db.rows<{ position: number }>(
        'SELECT position FROM cursors WHERE name = $1',
        [storedCursor(name)],
        'cursor',
      );
      return row?.position ?? 0;
    },
    attemptFacts: (after, limit) =>
      facts('attemptSeq', after, (sql, horizon) =>
        readAttemptFacts(sql, after, { horizon, limit }),
      ),
    conflictFacts: (...args) => eventFacts('conflict', ...args),
    unjudgedFacts: (...args) => eventFacts('unjudged', ...args),
    uncomparableFacts: (...args) => eventFacts('uncomparable', ...args),
    failureFacts: (of, after, limit) =>
      facts('eventSeq', after, (sql, horizon) =>
        readFailureFacts(sql, of, { after, horizon, limit }),
      ),
    lanes: (...args) => db.snapshot((sql) => readLanes(sql, ...args)),
    outcomes: (...args) => db.snapshot((sql) => readOutcomes(sql, ...args)),
    broughtSecrets: (...args) => db.snapshot((sql) => readBroughtSecrets(sql, ...args)),
    expectations: (...args) => db.snapshot((sql) => readExpectations(sql, ...args)),
    expectationsOf: (keys) => db.snapshot((sql) => readExpectationsOf(sql, keys)),
    idle: (keys) => db.snapshot((sql) => idleOf(sql, keys)),
    byCauses: (causes) => db.snapshot((sql) => issuesByCauses(sql, causes)),
    byDestinations: (...args) => db.snapshot((sql) => issuesByDestinations(sql, ...args)),
    closing: (...args) => db.snapshot((sql) => closingIssues(sql, ...args)),
    openOf: (...args) => db.snapshot((sql) => openIssues(sql, ...args)),
    save: (fold) => unlessStale(db.transaction((sql) => saveFold(sql, fold))),
    toNotify: (...args) => db.snapshot((sql) => issuesToNotify(sql, ...args)),
    async notifiedSince(userId, since) {
      const [row] = await db.rows<{ notified: number }>(
        'SELECT count(*) AS notified FROM issues WHERE user_id = $1 AND told_at >= $2',
        [userId, since],
        'notified since',
      );
      return row?.notified ?? 0;
    },
    saveNotified: (...args) => unlessStale(db.transaction((sql) => saveNotified(sql, ...args))),
    queue: (messages) => db.transaction((sql) => queueMessages(sql, messages)),
    queued: (limit) => db.rows(QUEUED, [limit], 'queued messages'),
    captured: (ids) => captured(db, ids),
    heartbeat: (...args) => db.transaction((sql) => beat(sql, ...args)),
    dropResolved: (before, most) => db.run(DROP_RESOLVED, [before, most]),
  };
}
