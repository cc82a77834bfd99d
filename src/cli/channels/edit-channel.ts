import { Option } from '@commander-js/extra-typings';
import { someText } from '../arguments.ts';
import type { Remote } from '../client/remote-command.ts';
import { usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { addSecretFlags, chosenSecret } from '../destinations/secret-flags.ts';
import { addChannelFilterFlags, chosenChannelFilters } from './channel-filters.ts';
import { channelPairs } from './channel-output.ts';

export const addChannelEditFlags = commandPart((command) =>
  addSecretFlags(
    addChannelFilterFlags(command)
      .addOption(new Option('--all-kinds', 'send issues of every kind').conflicts('kinds'))
      .addOption(
        new Option('--all-endpoints', 'send issues of every endpoint').conflicts('endpoint'),
      )
      .addOption(new Option('--new-url <url>', 'webhook, slack: new URL').argParser(someText))
      .option(
        '--to <address>',
        'email: new address; the present address gets another link to confirm',
        someText,
      ),
  ),
);

export async function editChannel(
  { client, out }: Remote,
  id: string,
  flags: FlagsOf<typeof addChannelEditFlags>,
): Promise<void> {
  const { newUrl: url, to, allKinds, allEndpoints, generateSecret } = flags;
  const secret = generateSecret ? null : await chosenSecret(flags);
  const body = {
    ...defined({ url, to, secret }),
    ...(await chosenChannelFilters(client, flags)),
    ...(allKinds && { kinds: null }),
    ...(allEndpoints && { endpoint_ids: null }),
  };
  if (Object.keys(body).length === 0) {
    throw usageError(
      'there is nothing to change',
      '--kinds, --endpoint, --new-url, --to or --secret; see --help',
    );
  }
  const channel = await client.call('PATCH /api/channels/{channelId}', {
    params: { channelId: id },
    body,
  });
  out.object(channel, channelPairs);
  if (out.json) return;
  if (generateSecret) out.note('Keep the secret now: it is not shown again.');
  if (to !== undefined && !channel.confirmed) {
    out.note(`A link was sent to ${channel.to}. Alerts follow once it is opened.`);
  }
}
