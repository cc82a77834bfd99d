import type { HeaderPair } from '../../../../core/model.ts';
import type { HttpRequest } from './request-head.ts';

/** A request, and what becomes of it. Nothing follows `onEnd` or `onError`. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Whether nobody waits for the response any more. Such a request isn't sent. */
  readonly isGivenUp: boolean;
  /**
   * Called before the request is written.
   *
   * @param hangUp ends the connection. Nothing of the response follows.
   */
  onStart(hangUp: () => void): void;
  /** Called for the final response. The headers are as they came, in order. */
  onHead(status: number, headers: HeaderPair[]): void;
  /** Called for each piece of the body, as it arrives. */
  onBody(piece: Buffer): void;
  /** The response is complete. */
  onEnd(): void;
  onError(error: Error): void;
}

/** The agent was closed before the response was complete. */
export class AgentClosed extends Error {
  override readonly name = 'AgentClosed';
}
