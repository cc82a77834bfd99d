import { formatDuration } from '../text/duration.ts';
import type { Channel } from './channel.ts';
import { CONFIRMATION_LIVES_MS, confirmationUrl } from './confirmation.ts';
import type { NoticeContext } from './issue-notices.ts';
import type { Notice } from './notice.ts';

export function testNotice({ id }: Pick<Channel, 'id'>, { baseUrl, now }: NoticeContext): Notice {
  return {
    type: 'channel.test',
    at: now,
    title: 'A test of this channel',
    paragraphs: [`hookrelay at ${baseUrl} sent this. You will hear of issues here.`],
    steps: '',
    link: { label: 'Open the issues', url: `${baseUrl}/issues` },
    data: { channel_id: id },
  };
}

/**
 * Returns the request to confirm an address. It names no account, because a stranger may own the
 * address.
 */
export function confirmationNotice(
  { id }: Pick<Channel, 'id'>,
  token: string,
  { baseUrl, now }: NoticeContext,
): Notice {
  return {
    type: 'channel.confirmation',
    at: now,
    title: 'Confirm this address for alerts',
    paragraphs: [
      `An account of hookrelay at ${baseUrl} wants to send alerts about its webhooks to this address.`,
      `If you want them, open the link and press the button within ${formatDuration(CONFIRMATION_LIVES_MS)}. Otherwise ignore this message: you get no other.`,
    ],
    steps: '',
    link: { label: 'Confirm this address', url: confirmationUrl(baseUrl, token) },
    data: { channel_id: id },
  };
}
