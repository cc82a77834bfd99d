/**
 * Returns a hint that tells how to deliver an event that has no destination.
 *
 * @param endpoint the endpoint, quoted for a shell
 * @param event the event, quoted for a shell
 */
export function noDestinationHint(endpoint: string, event: string): string {
  return [
    '  hint: add a destination, or send the events to this machine:',
    `        hookrelay destinations add ${endpoint} URL`,
    `        hookrelay replay ${event} --to http://localhost:3000`,
    `        hookrelay listen 3000 --endpoint ${endpoint} --since 1h`,
  ].join('\n');
}
