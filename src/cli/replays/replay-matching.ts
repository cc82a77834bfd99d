import type { Endpoint } from '../../api/answers/endpoint.ts';
import type { BulkReplay } from '../../api/answers/replay.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import {
  type EventFilterFlags,
  type EventFilterQuery,
  eventFilter,
} from '../events/event-filter.ts';
import { checkRule } from '../rules/check-rule.ts';
import { printable } from '../terminal/output.ts';
import { canPrompt, confirm } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { countText } from '../terminal/value-text.ts';
import { namedDestinations } from './named-destinations.ts';
import { waysOn } from './ways-on.ts';

export interface BulkFlags extends EventFilterFlags {
  endpoint?: string;
  /** Names, URLs or ids of the only destinations. */
  destination?: string[];
  /** Name, URL or id of a destination: only what its filter dropped, and only to it. */
  filteredBy?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** Starts a bulk replay, after a question. */
export async function replayMatching(context: Remote, flags: BulkFlags): Promise<void> {
  const { client, out } = context;
  const { endpoint: reference, dryRun } = flags;
  if (reference === undefined) {
    throw usageError('no events are named', 'pass event ids, or an endpoint with --endpoint');
  }
  if (flags.where !== undefined) await checkRule(flags.where, '--where');
  const asks = !flags.yes && !dryRun;
  if (asks && !canPrompt()) {
    throw usageError(
      'there is no terminal to ask on',
      'count events with --dry-run, replay them with --yes',
    );
  }
  const endpoint = await findEndpoint(client, reference);
  const path = `/api/endpoints/${endpoint.id}`;
  const body = await bulkBody(context, path, flags);
  let events: number;
  if (dryRun) {
    events = await count(context, path, body);
    if (out.json) out.ndjson({ matching: events });
    else out.line(`${countText(events, 'event')} would be replayed`);
  } else {
    if (asks) await confirmReplay(context, endpoint, body, flags);
    const started = await client.call<BulkReplay>('POST', `${path}/replay`, { body });
    events = started.queued;
    if (out.json) out.ndjson(started);
    else showStarted(context, endpoint, started);
  }
  if (!asks && events > 0 && (await destinationsOf(context, endpoint)) === 0) {
    out.note(`These events go nowhere: ${printable(endpoint.name)} has no destination.`);
    out.note(waysOn(shellWord(printable(endpoint.name)), 'EVENT'));
  }
}

interface BulkBody extends EventFilterQuery {
  destination_ids?: string[];
  filtered_by?: string;
}

async function bulkBody({ client }: Remote, path: string, flags: BulkFlags): Promise<BulkBody> {
  const { destination, filteredBy } = flags;
  const only = destination && (await namedDestinations(client, path, destination));
  const filtered = filteredBy === undefined ? [] : [filteredBy];
  const [by] = await namedDestinations(client, path, filtered);
  return {
    ...eventFilter(flags),
    ...(only && { destination_ids: only }),
    ...(by !== undefined && { filtered_by: by }),
  };
}

function showStarted({ out }: Remote, endpoint: Endpoint, { queued, job_id }: BulkReplay): void {
  const events = countText(queued, 'event');
  out.line(queued === 0 ? `${events} queued` : `${events} queued as ${printable(job_id)}`);
  if (queued === 0) return;
  const job = `${shellWord(printable(endpoint.name))} ${printable(job_id)}`;
  out.note(`  hint: hookrelay replays get ${job} --follow`);
  out.note(`        hookrelay replays cancel ${job}`);
}

async function count({ client }: Remote, path: string, given: BulkBody): Promise<number> {
  const body = { ...given, dry_run: true };
  return (await client.call<{ matching: number }>('POST', `${path}/replay`, { body })).matching;
}

async function confirmReplay(
  context: Remote,
  endpoint: Endpoint,
  body: BulkBody,
  { destination, filteredBy }: BulkFlags,
): Promise<void> {
  const matching = await count(context, `/api/endpoints/${endpoint.id}`, body);
  const what = `${countText(matching, 'event')} of ${printable(endpoint.name)}`;
  const only = filteredBy === undefined ? destination : [filteredBy];
  const where = only
    ? printable(only.join(', '))
    : countText(await destinationsOf(context, endpoint), 'destination');
  if (!(await confirm(`Replay ${what} to ${where}?`))) throw failure('nothing is replayed');
}

async function destinationsOf({ client }: Remote, { id }: Endpoint): Promise<number> {
  return (await client.call<unknown[]>('GET', `/api/endpoints/${id}/destinations`)).length;
}
