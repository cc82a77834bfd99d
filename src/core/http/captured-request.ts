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
  /** Absent where the endpoint has nothing to judge by. */
  verdict?: Verdict;
  /** Id of the event that this is an edited copy of. */
  editedFrom?: string;
  /** Id of the rejected request that a person accepts. The commit removes it from the rejected. */
  accepts?: string;
  /** When its sender sent it, if not at `receivedAt`. Signed times are checked against it. */
  sentAt?: number;
  /** The server composed it for the endpoint's account, so there is no sender to verify. */
  isComposed?: boolean;
}
