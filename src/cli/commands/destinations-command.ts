import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Destination } from '../../api/api-types.ts';
import { someText } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import {
  addSettingChangeFlags,
  addSettingFlags,
  chosenSettings,
  settingPairs,
} from '../destinations/destination-flags.ts';
import { DESTINATION_HELP, findDestination } from '../destinations/destination-ref.ts';
import { checkRule } from '../rules/check-rule.ts';
import { type Column, type Output, printable } from '../terminal/output.ts';
import { readSecret } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { timeText } from '../terminal/value-text.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

interface SecretFlags extends Record<string, unknown> {
  /** False with `--no-secret`. */
  secret?: string | false;
  secretStdin?: boolean;
  generateSecret?: boolean;
}

interface UpdateFlags extends SecretFlags {
  newUrl?: string;
}

const COLUMNS: Column<Destination>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'name', value: ({ name }) => name ?? '', optional: true },
  { title: 'url', value: ({ url }) => url },
  { title: 'secret', value: ({ secret }) => secret ?? 'none' },
  { title: 'added', value: ({ created_at }) => timeText(created_at), optional: true },
];

/** `hookrelay destinations …`: where an endpoint's events are delivered to. */
export function addDestinationsCommand(program: Command): void {
  const group = program
    .command('destinations')
    .description('where events are delivered to: list, get, add, update, remove')
    .addHelpText(
      'after',
      examplesText(['destinations add orders https://example.com/hooks --generate-secret']),
    );
  remote(
    group
      .command('list')
      .description("list an endpoint's destinations, newest first")
      .argument('<endpoint>', ENDPOINT_HELP),
    'destinations list orders',
  ).action(withRemote(list));
  remote(
    group
      .command('get')
      .description('show a destination')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[destination]', DESTINATION_HELP)
      .usage('[options] <endpoint> <destination>'),
    'destinations get orders billing',
  ).action(withDestination(withRemote(get)));
  remote(
    addSettingFlags(
      addSecretFlags(
        group
          .command('add')
          .description('add a destination; it gets the events captured from now on')
          .argument('<endpoint>', ENDPOINT_HELP)
          .argument('[url]', 'an https URL that is publicly reachable')
          .usage('[options] <endpoint> <url>'),
      ),
    ),
    'destinations add orders https://example.com/hooks --generate-secret',
    'destinations add orders https://example.com/hooks --secret-stdin <secret.txt',
  ).action(withDestination(withRemote(add)));
  remote(
    addSettingChangeFlags(
      addSecretFlags(
        group
          .command('update')
          .alias('edit')
          .description('change a destination; waiting deliveries use the new URL and secret')
          .argument('<endpoint>', ENDPOINT_HELP)
          .argument('[destination]', DESTINATION_HELP)
          .usage('[options] <endpoint> <destination>')
          .addOption(
            new Option('--new-url <url>', 'where to deliver from now on').argParser(someText),
          ),
      ).option('--no-secret', 'stop signing'),
    ),
    'destinations update orders billing --new-url https://example.com/v2',
    "destinations update orders billing --filter 'body.type=invoice.paid'",
    'destinations update orders dst_01kxyz… --name billing --generate-secret',
  ).action(withDestination(withRemote(update)));
  remote(
    group
      .command('remove')
      .description('remove a destination; the deliveries it already has run to their end')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[destination]', DESTINATION_HELP)
      .usage('[options] <endpoint> <destination>')
      .option('--cancel-pending', 'end those deliveries too')
      .option('--json', 'print JSON: the id, and removed: true'),
    'destinations remove orders https://example.com/hooks',
    'destinations remove orders dst_01kxyz… --cancel-pending',
  ).action(withDestination(withRemote(remove)));
}

function addSecretFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--secret <secret>', 'sign with this (others on this machine can see it)')
        .argParser(someText)
        .conflicts(['secretStdin', 'generateSecret']),
    )
    .addOption(
      new Option('--secret-stdin', 'sign with a secret read from stdin').conflicts(
        'generateSecret',
      ),
    )
    .option('--generate-secret', 'sign with a new secret, which is printed once');
}

/**
 * Runs an action whose second argument, the destination, must be there. A
 * person may have given it as `--url`, which names the server: commander's own error
 * would only say that the argument is missing.
 */
function withDestination(run: (...params: unknown[]) => Promise<void>): typeof run {
  return async (...params) => {
    const [endpoint, destination] = params as [string, string | undefined];
    const command = params.at(-1) as Command;
    if (destination !== undefined) return run(...params);
    if (command.getOptionValueSource('url') !== 'cli') {
      command.error(`error: missing required argument '${command.registeredArguments[1]?.name()}'`);
    }
    const words = [command.name(), endpoint, command.opts<{ url: string }>().url].map(shellWord);
    throw usageError(
      '--url names the server, and the destination is missing',
      `hookrelay destinations ${words.join(' ')}`,
    );
  };
}

async function list({ client, out }: Remote, reference: string): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const path = `/api/endpoints/${id}/destinations`;
  const destinations = await client.call<Destination[]>('GET', path, { exact: true });
  const empty = `${name} has no destination. Add one: hookrelay destinations add ${shellWord(name)} URL`;
  out.table(destinations, COLUMNS, empty);
}

async function add(
  { client, out }: Remote,
  reference: string,
  url: string,
  flags: SecretFlags,
): Promise<void> {
  await checkFilter(flags);
  const secret = await secretOf(flags);
  const { id } = await findEndpoint(client, reference);
  const path = `/api/endpoints/${id}/destinations`;
  const body = { url, ...(secret !== undefined && { secret }), ...chosenSettings(flags) };
  const added = await client.call<Destination>('POST', path, { body, exact: true });
  show(out, added, flags.generateSecret ? secret : null);
}

async function checkFilter({ filter }: Record<string, unknown>): Promise<void> {
  if (typeof filter === 'string') await checkRule(filter, '--filter');
}

async function get({ client, out }: Remote, reference: string, named: string): Promise<void> {
  const { destination } = await findDestination(client, reference, named);
  show(out, destination);
}

async function update(
  { client, out }: Remote,
  reference: string,
  named: string,
  flags: UpdateFlags,
): Promise<void> {
  await checkFilter(flags);
  const { newUrl: url } = flags;
  const secret = await secretOf(flags);
  const body = {
    ...(url !== undefined && { url }),
    ...(secret !== undefined && { secret }),
    ...chosenSettings(flags),
  };
  if (Object.keys(body).length === 0) {
    throw usageError('there is nothing to change', '--new-url, --secret or a setting; see --help');
  }
  const { path } = await findDestination(client, reference, named);
  const updated = await client.call<Destination>('PATCH', path, { body, exact: true });
  show(out, updated, flags.generateSecret ? secret : null);
}

/** @param made a secret that was made just now: the API masks it, and this is its only showing */
function show(out: Output, destination: Destination, made: string | null = null): void {
  const shown = made === null ? destination : { ...destination, secret: made };
  out.object(shown, ({ id, url, secret, created_at, ...settings }) => [
    ['id', id],
    ['url', url],
    ['secret', secret ?? 'none'],
    ...settingPairs(settings),
    ['added', created_at],
  ]);
  if (made !== null && !out.json) {
    out.note('The receiver needs this secret to verify signatures. It is not shown again.');
  }
}

async function secretOf({
  secret,
  secretStdin,
  generateSecret,
}: SecretFlags): Promise<string | null | undefined> {
  if (generateSecret) return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  if (!secretStdin) return secret === false ? null : secret;
  const given = await readSecret('Secret: ');
  if (given === '') throw failure('the secret is empty');
  return given;
}

async function remove(
  { client, out }: Remote,
  reference: string,
  named: string,
  { cancelPending }: { cancelPending?: boolean },
): Promise<void> {
  const { path, destination } = await findDestination(client, reference, named);
  const { id, url } = destination;
  const query = cancelPending ? { pending: 'cancel' } : {};
  await client.call('DELETE', path, { query });
  if (out.json) out.jsonValue({ id, removed: true });
  else out.note(`Removed ${printable(url)} (${id}).`);
}
