import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Channel } from '../../api/answers/channel.ts';
import { ISSUE_KINDS, type IssueKind } from '../../core/issues/issue.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import {
  addGivenSecretFlags,
  chosenSecret,
  type SecretFlags,
} from '../destinations/secret-flags.ts';
import { channelPairs } from './channel-view.ts';

interface FilterFlags {
  kinds?: IssueKind[];
  endpoint?: string[];
}

/** `hookrelay channels add …`: a command for each type. */
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
    withFilters(
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
    withRemote(async (context, url: string, flags: FilterFlags & SecretFlags) => {
      const secret = await chosenSecret(flags);
      const body = { type: 'webhook', url, ...(secret && { secret }) };
      await create(context, body, flags);
      if (!context.out.json && !secret) {
        context.out.note('Keep the secret now: it is not shown again.');
      }
    }),
  );
  remote(
    withFilters(
      add
        .command('slack')
        .description('send messages to a Slack channel')
        .argument('<url>', "the channel's incoming webhook URL"),
    ),
    'channels add slack https://hooks.slack.com/services/T0/B0/x',
    'channels add slack https://hooks.slack.com/services/T0/B0/x --endpoint orders',
  ).action(
    withRemote(async (context, url: string, flags: FilterFlags) => {
      await create(context, { type: 'slack', url }, flags);
    }),
  );
  remote(
    withFilters(
      add
        .command('email')
        .description('send emails, once the address has confirmed by a link')
        .argument('<address>', 'email address'),
    ),
    'channels add email ada@example.com',
    'channels add email ops@example.com --kinds delivery',
  ).action(
    withRemote(async (context, to: string, flags: FilterFlags) => {
      const { to: address } = await create(context, { type: 'email', to }, flags);
      if (!context.out.json) {
        context.out.note(`A link was sent to ${address}. Alerts follow once it is opened.`);
      }
    }),
  );
}

function withFilters(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--kinds <kinds>',
        `only issues of these kinds: ${ISSUE_KINDS.join(', ')}; separated by commas`,
      ).argParser(kindList),
    )
    .option(
      '--endpoint <endpoint>',
      `only issues of this one (${ENDPOINT_HELP}); may be repeated (default: all)`,
      (value: string, previous: string[] = []) => [...previous, value],
    );
}

async function create(
  { client, out }: Remote,
  given: object,
  { kinds, endpoint: references = [] }: FilterFlags,
): Promise<Channel> {
  const ids: string[] = [];
  for (const one of references) ids.push((await findEndpoint(client, one)).id);
  const body = { ...given, ...(kinds && { kinds }), ...(ids.length > 0 && { endpoint_ids: ids }) };
  const channel = await client.call<Channel>('POST', '/api/channels', { body });
  out.object(channel, channelPairs);
  return channel;
}

function kindList(value: string): IssueKind[] {
  const kinds = value.split(',').map((kind) => kind.trim());
  const known = ISSUE_KINDS.filter((kind) => kinds.includes(kind));
  if (known.length === new Set(kinds).size) return known;
  throw new InvalidArgumentError(`Expected kinds such as delivery,silence.`);
}
