import type * as v from 'valibot';
import type { MessageLimits } from '../../accounts/message-limits.ts';
import type { AuditTarget } from '../../core/audit.ts';
import type { Channel, ChannelMessage } from '../../core/channels/channel.ts';
import { channelMessage } from '../../core/channels/channel-message.ts';
import { confirmationNotice, testNotice } from '../../core/channels/channel-notices.ts';
import { HookrelayError } from '../../core/errors.ts';
import { limitReached } from '../../core/limits.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { MASK } from '../../core/secrets/masked-secret.ts';
import { newPublicToken } from '../../core/settings/new-endpoint.ts';
import type { ChannelPatch, ChannelStore } from '../../store/contract/channels.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { changesBetween } from '../audit-note.ts';
import { defined } from '../defined.ts';
import { newSigningSecret } from '../destinations/new-signing-secret.ts';
import { invalidField } from '../invalid-input.ts';
import { existing, notFound } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { CHANNEL_CALLS } from './channel-calls.ts';
import { requireMail, requireOwnEndpoints } from './channel-input.ts';
import type { channelPatchSchema } from './channel-schema.ts';
import { ChannelViews, channelSettings } from './channel-view.ts';
import { newChannel, newTarget } from './new-channel.ts';

/** Channels of an account. */
const MOST_CHANNELS = 20;

export interface ChannelRoutesOptions {
  channels: ChannelStore;
  endpoints: Pick<EndpointStore, 'find'>;
  destinations: Pick<DestinationStore, 'get' | 'conditions'>;
  deliveries: Pick<DeliveryStore, 'list'>;
  issues: Pick<IssueStore, 'queue'>;
  keys: Keys;
  clock: Clock;
  limits: MessageLimits;
  /** Whether this server can send email. */
  sendsMail: boolean;
  /** Where the page is. */
  baseUrl(): string;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
  /** Called when a message is queued. */
  onQueued(): void;
  /** Called after a change: messages that wait may go now. */
  onChanged(destinationKey: number): void;
}

/** The routes of channels, which get messages about the account's issues. */
export function channelRoutes(options: ChannelRoutesOptions): Route[] {
  const { channels, endpoints, issues, keys, clock, limits, sendsMail, checkUrl } = options;
  const views = new ChannelViews({ ...options, now: () => clock.now() });

  async function found(userId: string, id: string): Promise<Channel> {
    return existing(await channels.find(userId, id), 'channel');
  }

  /** Counts a confirmation. Throws `smtp_not_configured` and `rate_limited`. */
  async function takeConfirmation(userId: string, address: string): Promise<void> {
    requireMail(sendsMail);
    await limits.takeConfirmation(userId, address);
  }

  async function refuseMore(userId: string): Promise<void> {
    const { length } = await channels.list(userId);
    if (length >= MOST_CHANNELS) throw limitReached('channels', MOST_CHANNELS);
  }

  async function queue(message: ChannelMessage): Promise<void> {
    await issues.queue([message]);
    options.onQueued();
  }

  const context = () => ({ baseUrl: options.baseUrl(), now: clock.now() });

  async function ask(channel: Channel, token: string): Promise<void> {
    await queue(channelMessage(channel, confirmationNotice(channel, token, context())));
  }

  return routesOf(CHANNEL_CALLS, {
    'GET /api/channels': async ({ principal }) => views.all(await channels.list(principal.user.id)),
    async 'POST /api/channels'({ principal, body, record }) {
      const userId = principal.user.id;
      await requireOwnEndpoints(endpoints, userId, body.endpoint_ids ?? []);
      const target = body.type === 'email' ? body.to : (await checkUrl(body.url)).href;
      const secret = body.type === 'webhook' ? (body.secret ?? newSigningSecret()) : null;
      // Checked first: a refusal after `takeConfirmation` would waste a confirmation.
      await refuseMore(userId);
      if (body.type === 'email') await takeConfirmation(userId, target);
      const chosen = {
        userId,
        type: body.type,
        target,
        secret,
        kinds: body.kinds ?? null,
        endpointIds: body.endpoint_ids ?? null,
      };
      const made = newChannel(chosen, keys, clock.now());
      const channel = await channels.add(made.channel, MOST_CHANNELS);
      if (made.token !== null) await ask(channel, made.token);
      record({
        target: targetOf(channel),
        changes: changesBetween(null, channelSettings(channel)),
      });
      return views.one(channel, secret ?? undefined);
    },
    'GET /api/channels/{channelId}': async ({ principal, params }) =>
      views.one(await found(principal.user.id, params.channelId)),
    async 'PATCH /api/channels/{channelId}'({ principal, params, body, record }) {
      const userId = principal.user.id;
      const before = await found(userId, params.channelId);
      refuseForeignFields(before, body);
      await requireOwnEndpoints(endpoints, userId, body.endpoint_ids ?? []);
      // A webhook is always signed, so null replaces its secret with a new one.
      const isSecretMade = before.type === 'webhook' && body.secret === null;
      const secret = isSecretMade ? newSigningSecret() : (body.secret ?? undefined);
      const target = body.url === undefined ? body.to : (await checkUrl(body.url)).href;
      // The same address, sent again before it was confirmed, gets another link.
      const isNew =
        target !== undefined && (target !== before.target || before.confirmedAt === null);
      if (isNew && before.type === 'email') await takeConfirmation(userId, target);
      const { destinationId } = before;
      const next = isNew
        ? newTarget(before.type, target, { destinationId, keys, now: clock.now() })
        : null;
      const patch: ChannelPatch = {
        ...(next && { target: next.target, url: next.url, sealedUrl: next.sealedUrl }),
        ...next?.confirmation,
        ...(next && next.token !== null && { publicToken: newPublicToken() }),
        ...defined({ kinds: body.kinds, endpointIds: body.endpoint_ids }),
        ...(secret !== undefined && { sealedSecret: keys.seal(secret, destinationId) }),
      };
      const after = existing(await channels.update(userId, before.id, patch), 'channel');
      if (next && next.token !== null) await ask(after, next.token);
      options.onChanged(after.destinationKey);
      const [was, is] = [channelSettings(before), channelSettings(after)];
      const changes = changesBetween(was, is);
      if (secret !== undefined) changes.secret = [MASK, MASK];
      // Two Slack URLs have the same mask.
      if (next?.sealedUrl) changes.url = [was.url ?? null, is.url ?? null];
      record({ target: targetOf(after), changes });
      return views.one(after, isSecretMade ? secret : undefined);
    },
    async 'DELETE /api/channels/{channelId}'({ principal, params, record }) {
      const channel = await found(principal.user.id, params.channelId);
      const isRemoved = await channels.remove(principal.user.id, channel.id, clock.now());
      if (!isRemoved) throw notFound('channel');
      record({ target: targetOf(channel) });
    },
    async 'POST /api/channels/{channelId}/test'({ principal, params, record }) {
      const { id: userId, email } = principal.user;
      const channel = await found(userId, params.channelId);
      const { type, target, confirmedAt } = channel;
      const isUnconfirmed = type === 'email' && confirmedAt === null;
      if (type === 'email') requireMail(sendsMail);
      if (isUnconfirmed && target !== email) throw unconfirmed(target);
      await limits.takeTest(userId, isUnconfirmed ? target : null);
      const message = channelMessage(channel, testNotice(channel, context()));
      await queue(message);
      record({ target: targetOf(channel) });
      return { message_id: message.id };
    },
  });
}

function targetOf({ id, type, target }: Channel): AuditTarget {
  return { type: 'channel', id, name: `${type} ${URL.parse(target)?.host ?? target}` };
}

/** Throws `invalid_input` for a field that channels of this type don't have. */
function refuseForeignFields(
  { type }: Channel,
  { url, to, secret }: v.InferOutput<typeof channelPatchSchema>,
): void {
  if (type === 'email' && url !== undefined) {
    throw invalidField('url', 'does not belong to an email channel; use `to`');
  }
  if (type !== 'email' && to !== undefined) {
    throw invalidField('to', `does not belong to a ${type} channel; use \`url\``);
  }
  if (type !== 'webhook' && secret != null) {
    throw invalidField('secret', 'belongs to webhook channels only');
  }
}

function unconfirmed(address: string): HookrelayError {
  return new HookrelayError('channel_unconfirmed', `${address} has not confirmed yet`, {
    hint: 'open the link in the confirmation; send `to` again to get another one',
  });
}
