import type { Command } from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../core/text/words.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { addSameNameFlag, refuseSameName } from '../client/refuse-same-name.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { defined } from '../defined.ts';
import { showWarnings } from '../show-warnings.ts';
import {
  addProofFlags,
  chosenDedupe,
  chosenSource,
  withSecretHint,
} from '../sources/source-flags.ts';
import { printable } from '../terminal/output.ts';
import { ask, requirePrompt } from '../terminal/prompt.ts';
import { addEndpointEditFlags, editEndpoint } from './edit-endpoint.ts';
import { addEndpointSettingFlags, chosenEndpointSettings } from './endpoint-flags.ts';
import { endpointColumns, endpointPairs, setColumns } from './endpoint-output.ts';
import { addResponseFlags, responseOf } from './response-flags.ts';

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
      const endpoints = await client.call('GET /api/endpoints');
      const empty = 'There is no endpoint yet. Make one: hookrelay endpoints create NAME';
      out.table(endpoints, [...endpointColumns, ...setColumns(endpoints)], empty);
    }),
  );
  remote(
    group.command('get').description('show an endpoint').argument('<endpoint>', ENDPOINT_HELP),
    'endpoints get orders',
    'endpoints get orders --json | jq -r .capture_url',
  ).action(
    withRemote(async ({ client, out }, reference) => {
      out.object(await findEndpoint(client, reference), endpointPairs);
    }),
  );
}

function addCreate(group: Command): void {
  remote(
    addSameNameFlag(
      addProofFlags(
        addResponseFlags(
          addEndpointSettingFlags(
            group
              .command('create')
              .description('create an endpoint and its capture URL')
              .argument('<name>', 'name of your choice'),
          ),
        ),
      ),
    ),
    'endpoints create orders',
    'endpoints create orders --json | jq -r .capture_url',
    'endpoints create voice --response-body "<Response/>" --response-type text/xml',
    'endpoints create billing --source stripe --secret-stdin <secret.txt',
  ).action(
    withRemote(async ({ client, out }, name, flags) => {
      const response = responseOf(flags, null);
      const source = await chosenSource(flags);
      const dedupe = chosenDedupe(flags);
      const body = {
        ...chosenEndpointSettings(flags),
        name,
        ...(response && { response }),
        // If the flags name no provider, the server's error asks for one.
        ...(source && { source: source as NewSource }),
        ...(dedupe && { dedupe }),
      };
      if (!flags.sameName) {
        refuseSameName('endpoint', name, await client.call('GET /api/endpoints'));
      }
      const endpoint = await client.call('POST /api/endpoints', { body }).catch((error) => {
        throw withSecretHint(error);
      });
      out.object(endpoint, endpointPairs);
      if (!flags.sameName) showWarnings(out, endpoint.warnings);
    }),
  );
}

type NewSource = NonNullable<CallBody<'POST /api/endpoints'>['source']>;

function addChanges(group: Command): void {
  remote(
    addEndpointEditFlags(
      group
        .command('edit')
        .description('change an endpoint; its capture URL stays')
        .argument('<endpoint>', ENDPOINT_HELP),
    ),
    'endpoints edit orders --name shop-orders --response-status 204',
    "endpoints edit orders --response-status 302 --response-header 'location: https://example.com/thanks'",
    'endpoints edit orders --retention 7d --no-response',
    'endpoints edit orders --expect-every 15m',
    'endpoints edit orders --on-unjudged hold',
    'endpoints edit orders --source stripe --secret-stdin <secret.txt',
    'endpoints edit orders --enforce --dedupe provider',
  ).action(withRemote(editEndpoint));
  remote(
    addSameNameFlag(
      group
        .command('rename')
        .description('give an endpoint another name; its capture URL stays')
        .argument('<endpoint>', ENDPOINT_HELP)
        .argument('<name>', 'new name'),
    ),
    'endpoints rename orders shop-orders',
  ).action(
    withRemote(async (context, reference, name, { sameName }) => {
      await editEndpoint(context, reference, { name, ...defined({ sameName }) });
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
      withRemote(async ({ client, out }, reference) => {
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
    withRemote(async (context, reference, { yes }) => {
      const { client, out } = context;
      if (!yes) requirePrompt('add --yes to delete without a question');
      const endpoint = await findEndpoint(client, reference);
      if (!yes) await confirmDelete(context, endpoint);
      const { id, name } = endpoint;
      await client.call('DELETE /api/endpoints/{id}', { params: { id } });
      out.done({ id, deleted: true }, `Deleted ${printable(name)} (${id}).`);
    }),
  );
}

async function confirmDelete({ client, out }: Remote, endpoint: EndpointAnswer): Promise<void> {
  const { total } = await client.call('GET /api/endpoints/{id}/events', {
    params: { id: endpoint.id },
    query: { view: 'summary', limit: 1 },
  });
  const name = printable(endpoint.name);
  out.note(`This permanently deletes ${name} and its ${counted(total, 'event')}.`);
  const typed = await ask('Type the name to delete it: ');
  if (typed.trim() !== endpoint.name && typed.trim() !== name) {
    throw failure('the name differs: nothing is deleted');
  }
}

async function patch(
  client: ApiClient,
  reference: string,
  body: CallBody<'PATCH /api/endpoints/{id}'>,
): Promise<EndpointAnswer> {
  const { id } = await findEndpoint(client, reference);
  return client.call('PATCH /api/endpoints/{id}', { params: { id }, body });
}
