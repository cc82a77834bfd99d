import type { MessagePort } from 'node:worker_threads';
import type { RuleSource } from '../../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../../core/rules/verdict.ts';
import type { FailureMessage } from '../../../../core/threads/failure-message.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../../contract/deliveries.ts';
import type {
  EventFilter,
  HourWindow,
  ListWindow,
  OverviewWindow,
  RuleTrial,
} from '../../../contract/events.ts';
import type { RejectedWindow } from '../../../contract/rejected.ts';
import type { Scope } from '../../../contract/scope.ts';
import type { IssueRead } from '../issues/issue-reads.ts';
import type { UpwardRange } from '../list.ts';
import type { TypeRead } from '../types/type-reads.ts';

/* What the server and the reader's thread say to each other. */

export interface ReaderData {
  file: string;
  searchFile: string;
  generation: string;
  /** The port of the thread that sends requests, where another one started this thread. */
  port?: MessagePort;
}

export type ReaderRequest =
  | {
      op: 'page';
      scope: Scope;
      filter: EventFilter;
      window: ListWindow;
    }
  | { op: 'tryRules'; endpointKey: number; trial: RuleTrial }
  | { op: 'look'; seqs: readonly number[]; where: RuleSource | null }
  | { op: 'count'; endpointKey: number; filter: EventFilter }
  | {
      op: 'matching';
      endpointKey: number;
      filter: EventFilter;
      range: UpwardRange;
    }
  | {
      op: 'judge';
      endpointKey: number;
      seqs: readonly number[];
      rules: readonly DestinationFilter[];
      forMs: number;
    }
  | {
      op: 'newest';
      endpointKey: number;
      before: number | null;
      limits: { most: number; bytes: number };
    }
  | { op: 'rejected'; endpointKey: number; window: RejectedWindow }
  | { op: 'guesses'; keys: readonly number[] }
  | { op: 'eventActivity'; endpointKey: number; window: HourWindow }
  | { op: 'attemptActivity'; endpointKey: number; window: HourWindow }
  | { op: 'overview'; scope: Scope; window: OverviewWindow }
  | { op: 'conditions'; endpointKey: number; destinationId: string | null }
  | { op: 'deliveries'; endpointKey: number; filter: DeliveryFilter; window: DeliveryWindow }
  | { op: 'sequencesAt'; scope: Scope; time: number }
  | { op: 'eventsAfter' | 'attemptsAfter'; scope: Scope; seq: number; limit: number }
  | { op: 'issues'; read: IssueRead }
  | { op: 'types'; read: TypeRead }
  | { op: 'stats'; now: number };

export type ReaderMessage = { id: number; request: ReaderRequest } | { id: number; cancel: true };
export type ReaderAnswer =
  | { id: number; value: unknown }
  | { id: number; failure: FailureMessage }
  | { account: string; cpuMs: number }
  | { brokenIndex: number };
