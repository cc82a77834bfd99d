import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { HealthChange } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import type { RouteRule } from '../forward/route-rule.ts';

/** Facts about a run of `listen`. */
export interface ListenInfo {
  server: string;
  endpoints: Pick<EndpointAnswer, 'id' | 'name' | 'capture_url' | 'is_active'>[];
  /** Null when only rules have targets. */
  target: string | null;
  rules: RouteRule[];
}

/** Shows a run: as lines, JSON, or a screen with keys. */
export interface ListenView {
  /** How to send failed forwards again, for people. */
  readonly howToRetry: string;
  /** Called once, first. */
  ready(info: ListenInfo): void;
  added(forward: Forward): void;
  sent(forward: Forward, target: string): void;
  done(forward: Forward, outcome: ForwardOutcome): void;
  /** Shows a lost or restored connection. */
  connection(item: StreamItem): void;
  /** Shows a change of a destination's health. People see only one that matters. */
  health(change: HealthChange): void;
  /** Shows a note; inert text. */
  note(text: string): void;
  /** Restores the terminal. */
  close(): void;
}
