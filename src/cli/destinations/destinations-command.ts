import type { Command } from '@commander-js/extra-typings';
import { destinationsOf, findDestination } from '../client/destination-ref.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { printable } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import {
  addDestination,
  addDestinationCreateFlags,
  addDestinationEditFlags,
  editDestination,
} from './edit-destination.ts';
import { destinationArguments, withDestination } from './required-destination.ts';
import { destinationColumns, showDestination } from './show-destination.ts';
import { addSteeringCommands } from './steering-commands.ts';

export function addDestinationsCommand(program: Command): void {
  const group = program
    .command('destinations')
    .description('where events are delivered: list, add, edit, pause, remove')
    .addHelpText(
      'after',
      examplesText([
        'destinations add orders https://example.com/hooks --generate-secret',
        'destinations edit orders billing --rate 10/second',
      ]),
    );
  addReads(group);
  addChanges(group);
  addSteeringCommands(group);
  remote(
    destinationArguments(
      group
        .command('remove')
        .description('remove a destination; its open deliveries continue')
        .option('--cancel-pending', 'cancel its open deliveries too')
        .option('--json', 'print JSON: the id, and removed: true'),
    ),
    'destinations remove orders https://example.com/hooks',
    'destinations remove orders dst_01kxyz… --cancel-pending',
  ).action(withDestination(withRemote(remove)));
}

function addReads(group: Command): void {
  remote(
    group
      .command('list')
      .description("list an endpoint's destinations, newest first")
      .argument('<endpoint>', ENDPOINT_HELP),
    'destinations list orders',
  ).action(withRemote(list));
  remote(
    destinationArguments(
      group
        .command('get')
        .description('show a destination: its settings, its health and what waits for it'),
    ),
    'destinations get orders billing',
    'destinations get orders billing --json | jq .health',
  ).action(withDestination(withRemote(get)));
}

function addChanges(group: Command): void {
  remote(
    addDestinationCreateFlags(
      group
        .command('add')
        .description('add a destination; it gets the events captured from now on')
        .argument('<endpoint>', ENDPOINT_HELP)
        .argument('[url]', 'an https URL that is publicly reachable')
        .usage('[options] <endpoint> <url>'),
    ),
    'destinations add orders https://example.com/hooks --generate-secret',
    'destinations add orders https://example.com/hooks --secret-stdin <secret.txt',
    'destinations add orders https://example.com/hooks --rate 10/second --retry-attempts 5',
    'destinations add orders https://example.com/hooks --header-file headers.txt',
  ).action(withDestination(withRemote(addDestination)));
  remote(
    addDestinationEditFlags(
      destinationArguments(
        group
          .command('edit')
          .alias('update')
          .description('change a destination; waiting deliveries use the new settings'),
      ),
    ),
    'destinations edit orders billing --new-url https://example.com/v2',
    "destinations edit orders billing --filter 'body.type=invoice.paid'",
    'destinations edit orders billing --retry-schedule 5s,5m,2h --give-up-on 4xx,501',
    "destinations edit orders dst_01kxyz… --header 'x-team: billing' --no-rate",
  ).action(withDestination(withRemote(editDestination)));
}

async function list({ client, out }: Remote, reference: string): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const destinations = await destinationsOf(client, id);
  const empty = `${name} has no destination. Add one: hookrelay destinations add ${shellWord(name)} URL`;
  out.table(destinations, destinationColumns, empty);
}

async function get({ client, out }: Remote, reference: string, named: string): Promise<void> {
  const { destination } = await findDestination(client, reference, named);
  await showDestination(out, destination);
}

async function remove(
  { client, out }: Remote,
  reference: string,
  named: string,
  { cancelPending }: { cancelPending?: boolean },
): Promise<void> {
  const { params, destination } = await findDestination(client, reference, named);
  const { id, url } = destination;
  await client.call('DELETE /api/endpoints/{id}/destinations/{destinationId}', {
    params,
    query: cancelPending ? { pending: 'cancel' } : {},
  });
  out.done({ id, removed: true }, `Removed ${printable(url)} (${id}).`);
}
