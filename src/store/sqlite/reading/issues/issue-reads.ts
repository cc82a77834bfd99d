import type { Database } from 'better-sqlite3';
import type { IssueStore } from '../../../contract/issues.ts';
import { broughtSecrets } from './brought-secrets.ts';
import { expectations, expectationsOf } from './expectations.ts';
import { attemptFacts, conflictFacts, unjudgedFacts } from './facts.ts';
import { failureFacts } from './failure-facts.ts';
import { listIssues } from './issue-list.ts';
import { waitingLanes } from './lanes.ts';
import { sourceOutcomes } from './outcomes.ts';

/** What is read of issues in the reader's thread. */
export type IssueReads = Pick<
  IssueStore,
  | 'list'
  | 'attemptFacts'
  | 'conflictFacts'
  | 'unjudgedFacts'
  | 'failureFacts'
  | 'lanes'
  | 'outcomes'
  | 'broughtSecrets'
  | 'expectations'
  | 'expectationsOf'
>;

/** One such read. */
export type IssueRead = {
  [Method in keyof IssueReads]: { method: Method; args: Parameters<IssueReads[Method]> };
}[keyof IssueReads];

export function* readIssues(db: Database, read: IssueRead): Generator<void, unknown> {
  switch (read.method) {
    case 'list':
      return listIssues(db, ...read.args);
    case 'attemptFacts':
      return attemptFacts(db, ...read.args);
    case 'conflictFacts':
      return conflictFacts(db, ...read.args);
    case 'unjudgedFacts':
      return unjudgedFacts(db, ...read.args);
    case 'failureFacts':
      return failureFacts(db, ...read.args);
    case 'lanes':
      return yield* waitingLanes(db, ...read.args);
    case 'outcomes':
      return yield* sourceOutcomes(db, ...read.args);
    case 'broughtSecrets':
      return broughtSecrets(db, ...read.args);
    case 'expectations':
      return yield* expectations(db, ...read.args);
    case 'expectationsOf':
      return expectationsOf(db, ...read.args);
  }
}
