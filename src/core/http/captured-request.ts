import type { Verdict } from '../rules/verdict.ts';
import type { BorrowedBody } from './borrowed-body.ts';
import type { DestinationChoice } from './destination-choice.ts';

/** A complete HTTP request to a capture URL. */
export interface CapturedRequest {
  id: string;
  publicToken: string;
  method: string;
  /** The undecoded path after the token. Empty, or with a leading `/`. */
  path: string;
  /** The undecoded query without the `?`. Empty if there is none. */
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
  /** The id of the original event, if this request is an edited copy. */
  editedFrom?: string;
  /** The destinations that get an edited copy, by id. Absent for all of them. */
  chosen?: DestinationChoice;
  /** The id of the rejected request that a person accepts. The commit deletes that request. */
  accepts?: string;
  /**
   * When the sender sent the request, if not at `receivedAt`. The signed time is compared with this
   * time.
   */
  sentAt?: number;
  /** True if the server composed the request for its account. Then there is no sender to verify. */
  isComposed?: boolean;
}
