import type { Command } from 'commander';
import type { Endpoint } from '../../api/api-types.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventIds } from '../arguments.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { eventPath } from '../client/event-path.ts';
import { type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { type EventFilterFlags, eventFilter, eventFilterOptions } from '../events/event-filter.ts';
import { checkRule } from '../rules/check-rule.ts';
import { printable } from '../terminal/output.ts';
import { canPrompt, confirm } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { countText } from '../terminal/value-text.ts';

interface ReplayFlags extends EventFilterFlags {
  endpoint?: string;
  dryRun?: boolean;
  yes?: boolean;
}

interface Replayed {
  queued: boolean;
  event_id: string;
  deliveries: number;
}

/** `hookrelay replay`: delivers events again, to the present destinations. */
export function addReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .description('deliver events again, to the present destinations')
    .argument('[event...]', 'event ids', eventIds)
    .option(
      '--endpoint <endpoint>',
      'start a bulk replay of the events of this endpoint that match the filters',
    )
    .option('--dry-run', 'count the events and replay nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON, as the API answers it: one object per line');
  for (const option of eventFilterOptions()) command.addOption(option);
  remote(
    command,
    'replay evt_01kxyz…',
    'replay --endpoint orders --status dead_letter --from 24h --dry-run',
    'replay --endpoint orders --status dead_letter --from 24h --yes',
    "replay --endpoint orders --where 'body.type^=invoice.' --dry-run",
  ).action(
    withRemote(async (context, events: string[], flags: ReplayFlags) => {
      if (events.length > 0) await replayEach(context, events, flags);
      else await replayMatching(context, flags);
    }),
  );
}

/** Replays events in sequence. A missing event doesn't stop the others. */
async function replayEach(context: Remote, events: string[], flags: ReplayFlags): Promise<void> {
  const { out } = context;
  if (flags.endpoint !== undefined || flags.dryRun || Object.keys(eventFilter(flags)).length > 0) {
    throw usageError('--endpoint, --dry-run and filters do not go with event ids');
  }
  let failed = 0;
  let nowhere: string | null = null;
  for (const id of new Set(events)) {
    try {
      if (!(await replayOne(context, id))) nowhere = id;
    } catch (error) {
      const isOfThisEvent = error instanceof HookrelayError && error.code === 'event_not_found';
      if (!isOfThisEvent || events.length === 1) throw error;
      failed++;
      out.note(`${id}: ${printable(error.message)}`);
    }
  }
  if (nowhere !== null) out.note(waysOn('ENDPOINT', '', nowhere));
  if (failed > 0) throw failure(`${countText(failed, 'event')} could not be replayed`);
}

/** False if no destination gets the event. */
async function replayOne({ client, out }: Remote, id: string): Promise<boolean> {
  const path = await eventPath(client, id);
  const replayed = await client.call<Replayed>('POST', `${path}/replay`);
  if (out.json) out.ndjson(replayed);
  else out.line(`${printable(replayed.event_id)}: ${countText(replayed.deliveries, 'delivery')}`);
  if (replayed.deliveries > 0) return true;
  out.note(`${id} is not delivered: its endpoint has no destination, or their filters dropped it.`);
  return false;
}

async function replayMatching(context: Remote, flags: ReplayFlags): Promise<void> {
  const { client, out } = context;
  if (flags.endpoint === undefined) {
    throw usageError('no events are named', 'pass event ids, or an endpoint with --endpoint');
  }
  if (flags.where !== undefined) await checkRule(flags.where, '--where');
  const asks = !flags.yes && !flags.dryRun;
  if (asks && !canPrompt()) {
    throw usageError(
      'there is no terminal to ask on',
      'count events with --dry-run, replay them with --yes',
    );
  }
  const endpoint = await findEndpoint(client, flags.endpoint);
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const body = eventFilter(flags);
  let events: number;
  if (flags.dryRun) {
    events = await count(context, path, body);
    if (out.json) out.ndjson({ matching: events });
    else out.line(`${countText(events, 'event')} would be replayed`);
  } else {
    if (asks) await confirmReplay(context, endpoint, await count(context, path, body));
    const { queued } = await client.call<{ queued: number }>('POST', path, { body });
    if (out.json) out.ndjson({ queued });
    else out.line(`${countText(queued, 'event')} queued`);
    events = queued;
  }
  if (!asks && events > 0 && (await destinationsOf(context, endpoint)) === 0) {
    const name = shellWord(printable(endpoint.name));
    out.note(`These events are not delivered: ${printable(endpoint.name)} has no destination.`);
    out.note(waysOn(name, ` --endpoint ${name}`, 'EVENT'));
  }
}

/** The hint for events without a destination. */
function waysOn(endpoint: string, listenFlag: string, event: string): string {
  return [
    '  hint: add a destination, or send the events elsewhere:',
    `        hookrelay destinations add ${endpoint} URL`,
    `        hookrelay listen 3000${listenFlag} --since 1h`,
    `        hookrelay trigger --from-event ${event} --to URL`,
  ].join('\n');
}

async function count({ client }: Remote, path: string, filter: EventFilterFlags): Promise<number> {
  const body = { ...filter, dry_run: true };
  return (await client.call<{ matching: number }>('POST', path, { body })).matching;
}

async function confirmReplay(context: Remote, endpoint: Endpoint, matching: number): Promise<void> {
  const what = `${countText(matching, 'event')} of ${printable(endpoint.name)}`;
  const where = countText(await destinationsOf(context, endpoint), 'destination');
  if (!(await confirm(`Replay ${what} to ${where}?`))) throw failure('nothing is replayed');
}

async function destinationsOf({ client }: Remote, { id }: Endpoint): Promise<number> {
  return (await client.call<unknown[]>('GET', `/api/endpoints/${id}/destinations`)).length;
}
