import type { BorrowedBody } from './borrowed-body.ts';

/** An HTTP request as it reached a capture URL, complete. */
export interface CapturedRequest {
  id: string;
  publicToken: string;
  method: string;
  /** What followed the token in the target, raw: empty, or starting with `/`. */
  path: string;
  /** Raw, without the `?`; empty when there is none. */
  query: string;
  /** Name, value, name, value …, in order, with case and duplicates (Node's `rawHeaders`). */
  rawHeaders: string[];
  body: BorrowedBody;
  contentType: string | null;
  sourceIp: string;
  receivedAt: number;
  provider: string | null;
  eventType: string | null;
}
