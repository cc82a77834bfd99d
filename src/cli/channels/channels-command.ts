import type { Command } from '@commander-js/extra-typings';
import { idOf } from '../arguments.ts';
import { examplesText, remote, withRemote } from '../client/remote-command.ts';
import { addAddCommands } from './add-channel.ts';
import { channelColumns } from './channel-output.ts';
import { addChannelEditFlags, editChannel } from './edit-channel.ts';
import { testChannel } from './test-channel.ts';

const CHANNEL_HELP = "the channel's id";
const channelId = idOf('chn', 'a channel');

export function addChannelsCommand(program: Command): void {
  const group = program
    .command('channels')
    .description('where hookrelay reports issues: add, list, edit, test, remove')
    .addHelpText(
      'after',
      examplesText(['channels add email ada@example.com', 'channels test chn_01kxyz…']),
    );
  addAddCommands(group);
  remote(
    group.command('list').description("list the account's channels, newest first"),
    'channels list',
    "channels list --json | jq -r '.[].id'",
  ).action(
    withRemote(async ({ client, out }) => {
      const channels = await client.call('GET /api/channels');
      const empty = 'There is no channel. Add one: hookrelay channels add email ADDRESS';
      out.table(channels, channelColumns, empty);
    }),
  );
  remote(
    addChannelEditFlags(
      group
        .command('edit')
        .description('change a channel; settings without a flag stay')
        .argument('<channel>', CHANNEL_HELP, channelId),
    ),
    'channels edit chn_01kxyz… --kinds delivery,silence --all-endpoints',
    'channels edit chn_01kxyz… --new-url https://ops.example.com/v2 --generate-secret',
    'channels edit chn_01kxyz… --to ops@example.com',
  ).action(withRemote(editChannel));
  remote(
    group
      .command('test')
      .description('send a test message and show its outcome; at most 5 an hour')
      .argument('<channel>', CHANNEL_HELP, channelId)
      .option('--json', 'print JSON: "message_id" and "delivery", null without an outcome'),
    'channels test chn_01kxyz…',
  ).action(withRemote(testChannel));
  remote(
    group
      .command('remove')
      .description('remove a channel; messages on their way to it are dropped')
      .argument('<channel>', CHANNEL_HELP, channelId)
      .option('--json', 'print JSON: the id, and "removed": true'),
    'channels remove chn_01kxyz…',
  ).action(
    withRemote(async ({ client, out }, id) => {
      await client.call('DELETE /api/channels/{channelId}', { params: { channelId: id } });
      out.done({ id, removed: true }, `Removed ${id}.`);
    }),
  );
}
