import type { Verdict } from '../rules/verdict.ts';
import type { BorrowedBody } from './borrowed-body.ts';

/** A complete HTTP request to a capture URL. */
export interface CapturedRequest {
  id: string;
  publicToken: string;
  method: string;
  /** The target's path after the token, undecoded: empty, or with a leading `/`. */
  path: string;
  /** The query, undecoded and without the `?`; empty without one. */
  query: string;
  /** Name, value, name, value …, in order, with case and duplicates (Node's `rawHeaders`). */
  rawHeaders: string[];
  body: BorrowedBody;
  contentType: string | null;
  sourceIp: string;
  receivedAt: number;
  provider: string | null;
  eventType: string | null;
  /** Absent where the endpoint had nothing to judge by when it was looked at. */
  verdict?: Verdict;
  /** Id of the event that this is an edited copy of. */
  editedFrom?: string;
  /** Id of the rejected request that this is: the commit takes it away from those. */
  accepts?: string;
  /** When its sender sent it, where that isn't `receivedAt`: windows of signed times count from it. */
  sentAt?: number;
  /** Whether the server composed it for the endpoint's account: no sender is verified. */
  isComposed?: boolean;
}
