import type { ChannelAnswer, ChannelDelivery } from '../../../api/channels/channel-answer.ts';

export const TYPE_TEXT: Record<ChannelAnswer['type'], string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'Email',
};

/**
 * Returns a channel's address. Returns only the host for Slack, because the URL's path is a secret.
 */
export function targetOf({ type, url, to }: Pick<ChannelAnswer, 'type' | 'url' | 'to'>): string {
  if (type !== 'slack') return url ?? to ?? '';
  return `${URL.parse(url ?? '')?.host ?? 'slack'}/…`;
}

export interface ChannelState {
  text: string;
  /** When the state began or the event happened, ISO 8601; null if the text needs no time. */
  at: string | null;
  look: 'good' | 'warn' | 'bad' | 'neutral';
}

/** Returns the state of a channel in words. */
export function channelState({ confirmed, health, last_delivery }: ChannelAnswer): ChannelState {
  if (!confirmed && health.state !== 'healthy') {
    const text = 'Waits for confirmation, and the mail with the link has failed for';
    return { text, at: health.since, look: 'bad' };
  }
  if (!confirmed) {
    return { text: 'Waits for confirmation: the link is in the mail', at: null, look: 'warn' };
  }
  if (health.state === 'open') {
    return { text: 'Failing, messages are held back for', at: health.since, look: 'bad' };
  }
  if (health.state === 'failing') {
    return { text: 'Failing for', at: health.since, look: 'warn' };
  }
  if (health.state === 'refusing') {
    return { text: 'Refused for', at: health.since, look: 'bad' };
  }
  if (last_delivery === null) return { text: 'No message yet', at: null, look: 'neutral' };
  const { at } = last_delivery;
  return last_delivery.state === 'succeeded'
    ? { text: 'Last message arrived', at, look: 'good' }
    : { text: `Last message ${messageText(last_delivery)}`, at, look: lookOf(last_delivery) };
}

function lookOf({ state, error }: ChannelDelivery): ChannelState['look'] {
  if (state === 'dead') return 'bad';
  return error === null ? 'neutral' : 'warn';
}

/** Returns the outcome of a message in words, such as `arrived` or `failed: …`. */
export function messageText({ state, error }: Pick<ChannelDelivery, 'state' | 'error'>): string {
  if (state === 'succeeded') return 'arrived';
  if (state === 'cancelled' || state === 'filtered') return 'was dropped';
  if (error === null) return 'is on its way';
  return state === 'dead'
    ? `failed: ${error.message}`
    : `failed and is tried again: ${error.message}`;
}
