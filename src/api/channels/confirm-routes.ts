import type { Channel } from '../../core/channels/channel.ts';
import { CONFIRMATION_LIVES_MS, confirmationHash } from '../../core/channels/confirmation.ts';
import { readBody } from '../../core/http/read-body.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { ChannelStore } from '../../store/contract/channels.ts';
import { ANSWERED, type Route, routesOf } from '../route.ts';
import { CONFIRM_CALLS } from './confirm-calls.ts';
import { confirmedPage, INVALID_LINK_PAGE, questionPage, sendConfirmPage } from './confirm-page.ts';

const MAX_BODY_BYTES = 1024;
const TOKEN = /^[\w-]{20,100}$/;

export interface ConfirmRoutesOptions {
  channels: Pick<ChannelStore, 'findByConfirmation' | 'confirm'>;
  clock: Clock;
  /** Longest time to receive a body, ms. */
  bodyTimeoutMs: number;
  /** Called with the channel that gets alerts from now on. */
  onConfirmed(channel: Channel): Promise<void>;
}

/** The page that the link of a confirmation opens. Nobody is signed in there. */
export function confirmRoutes(options: ConfirmRoutesOptions): Route[] {
  const { channels, clock, bodyTimeoutMs, onConfirmed } = options;

  /** Null for a token that is unknown, used or too old. */
  async function channelOf(token: string): Promise<Channel | null> {
    if (!TOKEN.test(token)) return null;
    const channel = await channels.findByConfirmation(confirmationHash(token));
    const isFresh = clock.now() - (channel?.confirmSentAt ?? 0) <= CONFIRMATION_LIVES_MS;
    return isFresh ? channel : null;
  }

  return routesOf(CONFIRM_CALLS, {
    async 'GET /confirm'({ res, query }) {
      const channel = await channelOf(query.token);
      const page = channel ? questionPage(channel.target, query.token) : INVALID_LINK_PAGE;
      sendConfirmPage(res, page);
      return ANSWERED;
    },
    async 'POST /confirm'({ req, res }) {
      const body = await readBody(req, { maxBytes: MAX_BODY_BYTES, deadlineMs: bodyTimeoutMs });
      const token = new URLSearchParams(body.toString('latin1')).get('token') ?? '';
      const isValid = (await channelOf(token)) !== null;
      const confirmed = isValid
        ? await channels.confirm(confirmationHash(token), clock.now())
        : null;
      if (confirmed) await onConfirmed(confirmed);
      const page = confirmed ? confirmedPage(confirmed.target) : INVALID_LINK_PAGE;
      sendConfirmPage(res, page);
      return ANSWERED;
    },
  });
}
