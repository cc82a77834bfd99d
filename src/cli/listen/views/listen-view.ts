import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { HealthChange } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import type { RouteRule } from '../forward/route-rule.ts';

export interface ListenInfo {
  server: string;
  endpoints: Pick<EndpointAnswer, 'id' | 'name' | 'capture_url' | 'is_active'>[];
  /** Null if only routes have targets. */
  target: string | null;
  rules: RouteRule[];
}

export interface ListenView {
  readonly howToRetry: string;
  /** Called once, before all other methods. */
  ready(info: ListenInfo): void;
  added(forward: Forward): void;
  sent(forward: Forward, target: string): void;
  done(forward: Forward, outcome: ForwardOutcome): void;
  connection(item: StreamItem): void;
  /** Shows a change of a destination's health. People see only changes with `matters`. */
  health(change: HealthChange): void;
  /** @param text must have no control characters */
  note(text: string): void;
  close(): void;
}
