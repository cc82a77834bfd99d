import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Destination } from '../../api/api-types.ts';
import { HookrelayError } from '../../core/errors.ts';
import { someText } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { type Column, printable } from '../terminal/output.ts';
import { readSecret } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { timeText } from '../terminal/value-text.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

interface AddFlags {
  secret?: string;
  secretStdin?: boolean;
  generateSecret?: boolean;
}

const COLUMNS: Column<Destination>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'url', value: ({ url }) => url },
  { title: 'secret', value: ({ secret }) => secret ?? 'none' },
  { title: 'added', value: ({ created_at }) => timeText(created_at), optional: true },
];

/** `hookrelay destinations …`: where an endpoint's events are delivered to. */
export function addDestinationsCommand(program: Command): void {
  const group = program
    .command('destinations')
    .description('where events are delivered to: list, add, remove')
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
      .command('add')
      .description('add a destination; it gets the events captured from now on')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[url]', 'an https URL that is publicly reachable')
      .usage('[options] <endpoint> <url>')
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
      .option('--generate-secret', 'sign with a new secret, printed this once'),
    'destinations add orders https://example.com/hooks --generate-secret',
    'destinations add orders https://example.com/hooks --secret-stdin <secret.txt',
  ).action(withDestination(withRemote(add)));
  remote(
    group
      .command('remove')
      .description('remove a destination; the deliveries it already has run to their end')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('[destination]', "the destination's id, or its URL")
      .usage('[options] <endpoint> <destination>')
      .option('--cancel-pending', 'end those deliveries too')
      .option('--json', 'print JSON: its id, and that it is gone'),
    'destinations remove orders https://example.com/hooks',
    'destinations remove orders dst_01kxyz… --cancel-pending',
  ).action(withDestination(withRemote(remove)));
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
  const destinations = await client.call<Destination[]>('GET', path);
  const empty = `${name} has no destination. Add one: hookrelay destinations add ${shellWord(name)} URL`;
  out.table(destinations, COLUMNS, empty);
}

async function add(
  { client, out }: Remote,
  reference: string,
  url: string,
  flags: AddFlags,
): Promise<void> {
  const secret = await secretOf(flags);
  const { id } = await findEndpoint(client, reference);
  const path = `/api/endpoints/${id}/destinations`;
  const body = { url, ...(secret !== undefined && { secret }) };
  const added = await client.call<Destination>('POST', path, { body });
  // The API masks it; whoever had it made must see it now or never.
  const shown = flags.generateSecret && secret !== undefined ? { ...added, secret } : added;
  out.object(shown, (destination) => [
    ['id', destination.id],
    ['url', destination.url],
    ['secret', destination.secret ?? 'none'],
  ]);
  if (flags.generateSecret && !out.json) {
    out.note('The receiver needs this secret to verify signatures. It is not shown again.');
  }
}

async function secretOf({
  secret,
  secretStdin,
  generateSecret,
}: AddFlags): Promise<string | undefined> {
  if (generateSecret) return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  if (!secretStdin) return secret;
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
  const endpoint = await findEndpoint(client, reference);
  const path = `/api/endpoints/${endpoint.id}/destinations`;
  const { id, url } = destinationNamed(await client.call<Destination[]>('GET', path), named);
  const query = cancelPending ? { pending: 'cancel' } : {};
  await client.call('DELETE', `${path}/${id}`, { query });
  if (out.json) out.jsonValue({ id, removed: true });
  else out.note(`Removed ${printable(url)} (${id}).`);
}

function destinationNamed(destinations: Destination[], named: string): Destination {
  const url = URL.parse(named)?.href;
  const found = destinations.filter((one) => one.id === named || one.url === url);
  if (found.length === 1) return found[0] as Destination;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new HookrelayError('config_invalid', `that could be any of ${ids}`, {
      hint: 'name the destination by its id',
    });
  }
  throw new HookrelayError('destination_not_found', `there is no destination "${named}"`, {
    hint: 'hookrelay destinations list ENDPOINT',
  });
}
