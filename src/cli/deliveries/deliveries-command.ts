import type { Command } from '@commander-js/extra-typings';
import { idOf, repeated } from '../arguments.ts';
import { ENDPOINT_HELP } from '../client/endpoint-ref.ts';
import { examplesText, remote, withRemote } from '../client/remote-command.ts';
import { cancelDeliveries, retryDeliveries } from './change-deliveries.ts';
import { addDeliveryListFlags, listDeliveries } from './list-deliveries.ts';
import { showDelivery } from './show-delivery.ts';

const deliveryId = idOf('dlv', 'a delivery');

export function addDeliveriesCommand(program: Command): void {
  const group = program
    .command('deliveries')
    .description('events on their way to destinations: list, get, retry, cancel')
    .addHelpText(
      'after',
      examplesText(['deliveries list orders --state pending', 'deliveries retry dlv_01kxyz…']),
    );
  addReads(group);
  addChanges(group);
}

function addReads(group: Command): void {
  remote(
    addDeliveryListFlags(
      group
        .command('list')
        .description("list an endpoint's deliveries, newest first")
        .argument('<endpoint>', ENDPOINT_HELP),
    ),
    'deliveries list orders',
    'deliveries list orders --state pending --destination billing',
    "deliveries list orders --state dead --json | jq -r '.data[].id'",
  ).action(withRemote(listDeliveries));
  remote(
    group
      .command('get')
      .description('show a delivery and its attempts')
      .argument('<delivery>', "the delivery's id", deliveryId)
      .option('--json', 'print JSON: the delivery, and its attempts in "attempts_made"'),
    'deliveries get dlv_01kxyz…',
  ).action(withRemote(showDelivery));
}

function addChanges(group: Command): void {
  remote(
    group
      .command('retry')
      .description(
        'attempt deliveries now; ignores backoff, breaker and order, but not pause and rate',
      )
      .argument(
        '<delivery...>',
        'ids of deliveries; a dead one reopens, as the newest of its destination',
        repeated(deliveryId),
      )
      .option('--json', 'print JSON, as the API answers it: one object per line'),
    'deliveries retry dlv_01kxyz…',
  ).action(withRemote(retryDeliveries));
  remote(
    group
      .command('cancel')
      .description('cancel open deliveries: no further attempt is made')
      .argument('<delivery...>', 'ids of deliveries', repeated(deliveryId))
      .option('--json', 'print JSON, one object per line: the id, and "cancelled": true'),
    'deliveries cancel dlv_01kxyz…',
  ).action(withRemote(cancelDeliveries));
}
