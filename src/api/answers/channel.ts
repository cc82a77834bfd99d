import type { ChannelType } from '../../core/issues/channel.ts';
import type { IssueKind } from '../../core/issues/issue.ts';
import type { DeliveryError, ShownState } from '../../core/model.ts';
import type { DestinationHealth } from './destination.ts';

/** Where the account hears of its issues. */
export interface Channel {
  id: string;
  type: ChannelType;
  /** Of `webhook`, and of `slack`, masked. */
  url?: string;
  /** Of `email`. */
  to?: string;
  /** Of `webhook`. Masked, but in the answer that makes it. */
  secret?: string;
  /** Only issues of these kinds; null for all. */
  kinds: IssueKind[] | null;
  /** Only issues at these endpoints; null for all. */
  endpoint_ids: string[] | null;
  /** False for an email whose address waits for its confirmation. */
  confirmed: boolean;
  created_at: string;
  /** The newest message; null where none was sent. */
  last_delivery: ChannelDelivery | null;
  health: DestinationHealth;
}

export interface ChannelDelivery {
  id: string;
  state: ShownState;
  /** When the message was queued. */
  at: string;
  attempts: number;
  error: DeliveryError | null;
  next_attempt_at: string | null;
}
