import type { Endpoint } from '../../../api/api-types.ts';
import type { StreamItem } from '../../stream/stream-item.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import type { RouteRule } from '../forward/route-rule.ts';

/** What a run of `listen` is about. */
export interface ListenInfo {
  server: string;
  endpoints: Pick<Endpoint, 'id' | 'name' | 'capture_url' | 'is_active'>[];
  /** Null when only rules have targets. */
  target: string | null;
  rules: RouteRule[];
}

/** Who shows what happens: lines, JSON, or a screen with keys. */
export interface ListenView {
  /** What a person can do here about forwards that failed. */
  readonly howToRetry: string;
  /** Once, first. */
  ready(info: ListenInfo): void;
  added(forward: Forward): void;
  sent(forward: Forward, target: string): void;
  done(forward: Forward, outcome: ForwardOutcome): void;
  /** The connection was lost, or stands again. */
  connection(item: StreamItem): void;
  /** Something to know; inert text. */
  note(text: string): void;
  /** Leaves the terminal as it was. */
  close(): void;
}
