import { type Command, Option } from 'commander';
import type { Endpoint } from '../../api/api-types.ts';
import { duration, wholeNumber } from '../arguments.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { type Column, colour, printable } from '../terminal/output.ts';
import { ask, canPrompt } from '../terminal/prompt.ts';
import { countText, timeText } from '../terminal/value-text.ts';

interface CreateFlags extends ResponseFlags {
  retention?: string;
}

interface ResponseFlags {
  responseStatus?: number;
  responseBody?: string;
  responseType?: string;
}

/** The word for the server's retention. commander can't hold null. */
const SERVERS = 'default';

const COLUMNS: Column<Endpoint>[] = [
  { title: 'name', value: ({ name }) => name, elastic: true },
  {
    title: 'state',
    value: stateText,
    paint: (text, { is_active }) => (is_active ? text : colour('yellow', text)),
  },
  { title: 'capture url', value: ({ capture_url }) => capture_url },
  { title: 'id', value: ({ id }) => id, optional: true },
  { title: 'created', value: ({ created_at }) => timeText(created_at), optional: true },
];

const RETENTION: Column<Endpoint> = {
  title: 'retention',
  value: ({ retention }) => retention ?? '',
  optional: true,
};

/** `hookrelay endpoints …`: the capture URLs of the account. */
export function addEndpointsCommand(program: Command): void {
  const group = program
    .command('endpoints')
    .description('capture URLs: list, create, edit, pause, delete')
    .addHelpText('after', examplesText(['endpoints create orders', 'endpoints list']));
  addReads(group);
  addCreate(group);
  addChanges(group);
  addDelete(group);
}

function addReads(group: Command): void {
  remote(
    group.command('list').description("list the account's endpoints, newest first"),
    'endpoints list',
    "endpoints list --json | jq -r '.[].capture_url'",
  ).action(
    withRemote(async ({ client, out }) => {
      const endpoints = await client.call<Endpoint[]>('GET', '/api/endpoints');
      const empty = 'There is no endpoint yet. Make one: hookrelay endpoints create NAME';
      const isKept = endpoints.some(({ retention }) => retention);
      out.table(endpoints, isKept ? [...COLUMNS, RETENTION] : COLUMNS, empty);
    }),
  );
  remote(
    group.command('get').description('show an endpoint').argument('<endpoint>', ENDPOINT_HELP),
    'endpoints get orders',
    'endpoints get orders --json | jq -r .capture_url',
  ).action(
    withRemote(async ({ client, out }, reference: string) => {
      out.object(await findEndpoint(client, reference), endpointPairs);
    }),
  );
}

function addCreate(group: Command): void {
  remote(
    addResponseFlags(
      group
        .command('create')
        .description('create an endpoint and its capture URL')
        .argument('<name>', 'name of your choice')
        .addOption(retentionOption()),
    ),
    'endpoints create orders',
    'endpoints create orders --json | jq -r .capture_url',
    'endpoints create voice --response-body "<Response/>" --response-type text/xml',
  ).action(
    withRemote(async ({ client, out }, name: string, flags: CreateFlags) => {
      const response = responseOf(flags, null);
      const body = { name, ...(response && { response }), ...retentionOf(flags) };
      const endpoint = await client.call<Endpoint>('POST', '/api/endpoints', { body });
      out.object(endpoint, endpointPairs);
    }),
  );
}

function addResponseFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--response-status <code>',
        'status of the answer to senders (default: 200)',
      ).argParser(wholeNumber(200, 599)),
    )
    .option('--response-body <text>', 'body of the answer to senders')
    .option('--response-type <type>', 'content type of that body (default: application/json)');
}

function retentionOption(): Option {
  return new Option(
    '--retention <duration>',
    "how long events are kept, such as 7d; default: the server's retention",
  ).argParser((value) => (value.trim() === SERVERS ? SERVERS : duration(value)));
}

/** The member of a request. */
function retentionOf({ retention }: CreateFlags): { retention?: string | null } {
  if (retention === undefined) return {};
  return { retention: retention === SERVERS ? null : retention };
}

function addChanges(group: Command): void {
  remote(
    addResponseFlags(
      group
        .command('edit')
        .description('change an endpoint; its capture URL stays')
        .argument('<endpoint>', ENDPOINT_HELP)
        .option('--name <name>', 'another name')
        .addOption(
          new Option('--state <state>', 'capture, or answer senders with 404').choices([
            'active',
            'paused',
          ]),
        )
        .addOption(retentionOption()),
    ).option('--no-response', 'answer senders as hookrelay does by default'),
    'endpoints edit orders --name shop-orders --response-status 204',
    'endpoints edit orders --retention 7d --no-response',
  ).action(withRemote(edit));
  remote(
    group
      .command('rename')
      .description('give an endpoint another name; its capture URL stays')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('<name>', 'new name'),
    'endpoints rename orders shop-orders',
  ).action(
    withRemote(async ({ client, out }, reference: string, name: string) => {
      out.object(await patch(client, reference, { name }), endpointPairs);
    }),
  );
  const activity = [
    ['pause', false, 'stop capturing: senders get 404; deliveries and replays go on'],
    ['resume', true, 'capture again'],
  ] as const;
  for (const [command, is_active, about] of activity) {
    remote(
      group.command(command).description(about).argument('<endpoint>', ENDPOINT_HELP),
      `endpoints ${command} orders`,
    ).action(
      withRemote(async ({ client, out }, reference: string) => {
        out.object(await patch(client, reference, { is_active }), endpointPairs);
      }),
    );
  }
}

function addDelete(group: Command): void {
  remote(
    group
      .command('delete')
      .description('delete an endpoint and all its events permanently')
      .argument('<endpoint>', ENDPOINT_HELP)
      .option('--yes', 'do not ask for confirmation')
      .option('--json', 'print JSON: the id, and "deleted": true'),
    'endpoints delete orders',
    'endpoints delete orders --yes',
  ).action(
    withRemote(async (context, reference: string, { yes }: { yes?: boolean }) => {
      const { client, out } = context;
      if (!yes && !canPrompt()) {
        throw usageError(
          'there is no terminal to ask on',
          'add --yes to delete without a question',
        );
      }
      const endpoint = await findEndpoint(client, reference);
      if (!yes) await confirmDelete(context, endpoint);
      await client.call('DELETE', `/api/endpoints/${endpoint.id}`);
      if (out.json) out.jsonValue({ id: endpoint.id, deleted: true });
      else out.note(`Deleted ${printable(endpoint.name)} (${endpoint.id}).`);
    }),
  );
}

async function confirmDelete({ client, out }: Remote, endpoint: Endpoint): Promise<void> {
  const path = `/api/endpoints/${endpoint.id}/events`;
  const { total } = await client.call<{ total: number }>('GET', path, { query: { limit: 1 } });
  const name = printable(endpoint.name);
  out.note(`This permanently deletes ${name} and its ${countText(total, 'event')}.`);
  const typed = await ask('Type the name to delete it: ');
  if (typed.trim() !== endpoint.name && typed.trim() !== name) {
    throw failure('the name differs: nothing is deleted');
  }
}

interface EditFlags extends CreateFlags {
  name?: string;
  state?: 'active' | 'paused';
  /** False with `--no-response`. */
  response?: boolean;
}

/** A flag of the answer changes that part of the present answer. */
async function edit({ client, out }: Remote, reference: string, flags: EditFlags): Promise<void> {
  const { name, state } = flags;
  const isNone = flags.response === false;
  const isAnswered = responseOf(flags, null) !== null;
  if (isNone && isAnswered) throw usageError('--no-response goes with no other --response flag');
  const retention = retentionOf(flags);
  const given = [name, state, flags.retention].some((value) => value !== undefined);
  if (!given && !isNone && !isAnswered) {
    throw usageError(
      'there is nothing to change',
      '--name, --state, --retention, --response-…; see --help',
    );
  }
  const { id, response } = await findEndpoint(client, reference);
  const body = {
    ...(name !== undefined && { name }),
    ...(state !== undefined && { is_active: state === 'active' }),
    ...retention,
    ...(isNone && { response: null }),
    ...(isAnswered && { response: responseOf(flags, response) }),
  };
  out.object(await client.call<Endpoint>('PATCH', `/api/endpoints/${id}`, { body }), endpointPairs);
}

async function patch(client: ApiClient, reference: string, body: object): Promise<Endpoint> {
  const { id } = await findEndpoint(client, reference);
  return client.call<Endpoint>('PATCH', `/api/endpoints/${id}`, { body });
}

/** @param present the answer whose parts stay where no flag changes them; null for the default */
function responseOf(flags: ResponseFlags, present: Endpoint['response']): object | null {
  const { responseStatus, responseBody, responseType } = flags;
  if (responseStatus === undefined && responseBody === undefined && responseType === undefined) {
    return null;
  }
  return {
    ...present,
    status: responseStatus ?? present?.status ?? 200,
    ...(responseType !== undefined && { content_type: responseType }),
    ...(responseBody !== undefined && { body: responseBody }),
  };
}

function endpointPairs(endpoint: Endpoint): [string, string][] {
  const { response, retention } = endpoint;
  return [
    ['name', endpoint.name],
    ['id', endpoint.id],
    ['capture url', endpoint.capture_url],
    ['state', stateText(endpoint)],
    ['created', endpoint.created_at],
    // Old servers don't send it.
    ...(retention ? [['retention', retention] as [string, string]] : []),
    ...(response
      ? [
          ['answers', `${response.status} ${response.content_type} ${response.body}`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}

function stateText({ is_active }: Endpoint): string {
  return is_active ? 'active' : 'paused';
}
