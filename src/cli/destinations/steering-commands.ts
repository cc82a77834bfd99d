import type { Command } from '@commander-js/extra-typings';
import { remote, withRemote } from '../client/remote-command.ts';
import { destinationArguments, withDestination } from './required-destination.ts';
import {
  addRotationFlags,
  discardWaiting,
  probeDestination,
  rotateSecret,
  setState,
} from './steer-destination.ts';

export function addSteeringCommands(group: Command): void {
  addStates(group);
  remote(
    addRotationFlags(
      destinationArguments(
        group
          .command('rotate-secret')
          .description('sign with a new secret, and for a while with the old one too'),
      ),
    ),
    'destinations rotate-secret orders billing',
    'destinations rotate-secret orders billing --overlap 7d --json | jq -r .secret',
    'destinations rotate-secret orders billing --secret-stdin <secret.txt',
  ).action(withDestination(withRemote(rotateSecret)));
  remote(
    destinationArguments(
      group
        .command('probe')
        .description('send one waiting delivery to a destination whose breaker is open'),
    ),
    'destinations probe orders billing',
  ).action(withDestination(withRemote(probeDestination)));
  remote(
    destinationArguments(
      group
        .command('discard')
        .description('cancel every delivery that waits for a destination')
        .option('--yes', 'do not ask for confirmation'),
    ),
    'destinations discard orders billing',
    'destinations discard orders billing --yes --json',
  ).action(withDestination(withRemote(discardWaiting)));
}

function addStates(group: Command): void {
  const states = [
    ['pause', 'paused', 'start no more attempts; new deliveries wait'],
    ['resume', 'active', 'attempt waiting and new deliveries again, oldest first'],
  ] as const;
  for (const [command, state, about] of states) {
    remote(
      destinationArguments(group.command(command).description(about)),
      `destinations ${command} orders billing`,
    ).action(
      withDestination(
        withRemote((context, endpoint, destination) =>
          setState(context, endpoint, destination, state),
        ),
      ),
    );
  }
}
