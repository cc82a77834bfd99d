import type { Command } from '@commander-js/extra-typings';
import type { ChannelAnswer } from '../../api/channels/channel-answer.ts';
import type { CallBody } from '../../api/client/typed-call.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { addGivenSecretFlags, chosenSecret } from '../destinations/secret-flags.ts';
import {
  addChannelFilterFlags,
  type ChannelFilterFlags,
  chosenChannelFilters,
} from './channel-filters.ts';
import { channelPairs } from './channel-output.ts';

export function addAddCommands(group: Command): void {
  const add = group
    .command('add')
    .description('add a webhook, a Slack channel or an email address')
    .addHelpText(
      'after',
      examplesText([
        'channels add webhook https://ops.example.com/hooks',
        'channels add email ada@example.com',
      ]),
    );
  remote(
    addChannelFilterFlags(
      addGivenSecretFlags(
        add
          .command('webhook')
          .description('send signed JSON to a URL (Standard Webhooks); prints the secret once')
          .argument('<url>', 'http or https URL'),
      ),
    ),
    'channels add webhook https://ops.example.com/hooks',
    'channels add webhook https://ops.example.com/hooks --kinds delivery,silence',
  ).action(
    withRemote(async (context, url, flags) => {
      const secret = await chosenSecret(flags);
      await create(context, { type: 'webhook', url, ...(secret && { secret }) }, flags);
      if (!context.out.json && !secret) {
        context.out.note('Keep the secret now: it is not shown again.');
      }
    }),
  );
  remote(
    addChannelFilterFlags(
      add
        .command('slack')
        .description('send messages to a Slack channel')
        .argument('<url>', "the channel's incoming webhook URL"),
    ),
    'channels add slack https://hooks.slack.com/services/T0/B0/x',
    'channels add slack https://hooks.slack.com/services/T0/B0/x --endpoint orders',
  ).action(
    withRemote(async (context, url, flags) => {
      await create(context, { type: 'slack', url }, flags);
    }),
  );
  remote(
    addChannelFilterFlags(
      add
        .command('email')
        .description('send emails, after the address is confirmed by a link')
        .argument('<address>', 'email address'),
    ),
    'channels add email ada@example.com',
    'channels add email ops@example.com --kinds delivery',
  ).action(
    withRemote(async (context, to, flags) => {
      const { to: address } = await create(context, { type: 'email', to }, flags);
      if (!context.out.json) {
        context.out.note(`A link was sent to ${address}. Alerts follow once it is opened.`);
      }
    }),
  );
}

async function create(
  { client, out }: Remote,
  given: CallBody<'POST /api/channels'>,
  flags: ChannelFilterFlags,
): Promise<ChannelAnswer> {
  const body = { ...given, ...(await chosenChannelFilters(client, flags)) };
  const channel = await client.call('POST /api/channels', { body });
  out.object(channel, channelPairs);
  return channel;
}
