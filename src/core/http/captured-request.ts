import type { Verdict } from '../rules/verdict.ts';
import type { BorrowedBody } from './borrowed-body.ts';

/** A complete HTTP request to a capture URL. */
export interface CapturedRequest {
  id: string;
  publicToken: string;
  method: string;
  /** The path after the token in the request's target, undecoded. Empty, or with a leading `/`. */
  path: string;
  /** The query, undecoded and without the `?`. Empty if there is none. */
  query: string;
  /** Name, value, name, value …, in order, with case and duplicates (Node's `rawHeaders`). */
  rawHeaders: string[];
  body: BorrowedBody;
  contentType: string | null;
  sourceIp: string;
  receivedAt: number;
  provider: string | null;
  eventType: string | null;
  /** Absent if the endpoint has no source, filter, order or `dedupe`. */
  verdict?: Verdict;
  /** Id of the original event, if this request is an edited copy. */
  editedFrom?: string;
  /** Id of the rejected request that a person accepts. The commit deletes the rejected one. */
  accepts?: string;
  /** When the sender sent it, if not at `receivedAt`. The signed time is compared with this. */
  sentAt?: number;
  /** The server composed it for the endpoint's account, so there is no sender to verify. */
  isComposed?: boolean;
}
