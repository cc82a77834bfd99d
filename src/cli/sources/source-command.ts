import type { Command } from '@commander-js/extra-typings';
import { counted, formatCount } from '../../core/text/words.ts';
import { wholeNumber } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { type Column, printable } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { addKeepFlag, addSourceFlags, chosenSource, withSecretHint } from './source-flags.ts';

const MOST_EVENTS = 1000;

const addCheckFlags = commandPart((command) =>
  addKeepFlag(addSourceFlags(command)).option(
    '--last <number>',
    `number of newest events to check (default: ${MOST_EVENTS})`,
    wholeNumber(1, MOST_EVENTS),
  ),
);

export function addSourceCommand(program: Command): void {
  const group = program
    .command('source')
    .description('proof of sender: check past events (endpoints edit --source sets it)')
    .addHelpText('after', examplesText(['source check orders']));
  remote(
    addCheckFlags(
      group
        .command('check')
        .description('verify past events with a source (default: the present one); saves nothing')
        .argument('<endpoint>', ENDPOINT_HELP),
    ),
    'source check orders',
    'source check orders --source stripe --secret-stdin <secret.txt',
    'source check orders --last 100 --json | jq .failed',
  ).action(withRemote(check));
}

async function check(
  { client, out }: Remote,
  reference: string,
  flags: FlagsOf<typeof addCheckFlags>,
): Promise<void> {
  const source = await chosenSource(flags);
  const endpoint = await findEndpoint(client, reference);
  const body = { ...(source && { source }), ...defined({ last: flags.last }) };
  const result = await client
    .call('POST /api/endpoints/{id}/source/check', { params: { id: endpoint.id }, body })
    .catch((error) => {
      throw withSecretHint(error);
    });
  if (out.asJson(result)) return;
  if (result.checked + result.skipped === 0 && !result.ended_early) {
    out.note(`${printable(endpoint.name)} has no event to check.`);
    return;
  }
  const failed = Object.entries(result.failed);
  const sum = result.checked - result.verified;
  out.line(
    `checked ${counted(result.checked, 'event')}: ${formatCount(result.verified)} verified, ${formatCount(sum)} not`,
  );
  if (failed.length > 0) out.rows(failed, REASONS, '');
  if (result.ended_early) {
    const checked = counted(result.checked + result.skipped, 'event');
    out.note(`the check stopped after the newest ${checked}: it reached 10 s or 256 MiB`);
  }
  if (result.skipped > 0) {
    const what = 'edited copies, checks of the URL, large bodies';
    out.note(`${counted(result.skipped, 'event')} skipped: ${what}`);
  }
  // Old servers send no hints.
  for (const { message } of result.hints ?? []) out.note(printable(`hint: ${message}`));
  const isAllRight = result.verified > 0 && sum === 0;
  if (isAllRight && !source && endpoint.source && !endpoint.source.enforce) {
    out.note(
      `To refuse requests that fail: hookrelay endpoints edit ${shellWord(endpoint.name)} --enforce`,
    );
  }
}

const REASONS: Column<[reason: string, count: number]>[] = [
  { title: 'reason', value: ([reason]) => reason },
  { title: 'events', value: ([, count]) => formatCount(count), align: 'right' },
];
