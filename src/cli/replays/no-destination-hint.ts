/**
 * @param endpoint quoted for a shell
 * @param event quoted for a shell
 */
export function noDestinationHint(endpoint: string, event: string): string {
  return [
    '  hint: add a destination, or send the events to this machine:',
    `        hookrelay destinations add ${endpoint} URL`,
    `        hookrelay replay ${event} --to http://localhost:3000`,
    `        hookrelay listen 3000 --endpoint ${endpoint} --since 1h`,
  ].join('\n');
}
