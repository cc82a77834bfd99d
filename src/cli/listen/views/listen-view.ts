import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { HealthChange } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import type { RouteRule } from '../forward/route-rule.ts';

/** Facts about a run of `listen`. */
export interface ListenInfo {
  server: string;
  endpoints: Pick<EndpointAnswer, 'id' | 'name' | 'capture_url' | 'is_active'>[];
  /** Null if only routes have targets. */
  target: string | null;
  rules: RouteRule[];
}

/** Shows a run of `listen`, either as lines, as JSON, or on a screen with keys. */
export interface ListenView {
  /** Tells people how to send failed forwards again. */
  readonly howToRetry: string;
  /** Called once, before all other methods. */
  ready(info: ListenInfo): void;
  added(forward: Forward): void;
  sent(forward: Forward, target: string): void;
  done(forward: Forward, outcome: ForwardOutcome): void;
  /** Shows that the connection is lost or restored. */
  connection(item: StreamItem): void;
  /** Shows that a destination's health has changed. People see only changes with `matters`. */
  health(change: HealthChange): void;
  /** Shows a note. Its text is inert. */
  note(text: string): void;
  /** Restores the terminal. */
  close(): void;
}
