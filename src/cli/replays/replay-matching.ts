import type { CallAnswer, CallBody } from '../../api/client/typed-call.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { BulkReplayAnswer } from '../../api/replays/replay-answer.ts';
import { counted } from '../../core/text/words.ts';
import { repeated, someText } from '../arguments.ts';
import { checkRule } from '../check-rule.ts';
import { destinationsOf } from '../client/destination-ref.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { namedDestinations } from '../client/named-destinations.ts';
import type { Remote } from '../client/remote-command.ts';
import { warnOfValues } from '../client/unfit-values.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import {
  addEventFilters,
  type EventFilterFlags,
  eventFilter,
} from '../events/event-filter-flags.ts';
import { printable } from '../terminal/output.ts';
import { confirm, requirePrompt } from '../terminal/prompt.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { noDestinationHint } from './no-destination-hint.ts';

export const addDestinationFlag = commandPart((command) =>
  command.option(
    '--destination <destination>',
    'only to this destination (repeatable): its id, URL or name',
    repeated(),
  ),
);

/** Adds all flags of a bulk replay except `--to`, which otherwise names a target. */
export const addBulkFlags = commandPart((command) =>
  addEventFilters(
    command.option('--endpoint <endpoint>', 'replay all events of this endpoint that match'),
    'to',
  )
    .option(
      '--filtered-by <destination>',
      "only events that this destination's filter dropped, and only to it; its present filter applies",
      someText,
    )
    .option('--dry-run', 'count the events and replay nothing')
    .option('--yes', 'do not ask for confirmation'),
);

type BulkFlags = EventFilterFlags &
  FlagsOf<typeof addBulkFlags> &
  FlagsOf<typeof addDestinationFlag>;

export async function replayMatching(context: Remote, flags: BulkFlags): Promise<void> {
  const { client, out } = context;
  const { endpoint: reference, dryRun } = flags;
  if (reference === undefined) {
    throw usageError('no events are named', 'pass event ids, or an endpoint with --endpoint');
  }
  if (flags.where !== undefined) await checkRule(flags.where, '--where');
  const asks = !flags.yes && !dryRun;
  if (asks) requirePrompt('count events with --dry-run, replay them with --yes');
  const endpoint = await findEndpoint(client, reference);
  await warnOfValues(context, endpoint.id, flags.where);
  const body = await bulkBody(context, endpoint, flags);
  if (asks) await confirmReplay(context, endpoint, body, flags);
  const answer = await replay(context, endpoint, { ...body, ...(dryRun && { dry_run: true }) });
  const events = eventsIn(answer);
  if (out.json) out.ndjson(answer);
  else if ('matching' in answer) out.line(`${counted(events, 'event')} would be replayed`);
  else showStarted(context, endpoint, answer);
  if (!asks && events > 0 && (await destinationsOf(client, endpoint.id)).length === 0) {
    out.note(`These events go nowhere: ${printable(endpoint.name)} has no destination.`);
    out.note(noDestinationHint(shellWord(printable(endpoint.name)), 'EVENT'));
  }
}

type BulkBody = CallBody<'POST /api/endpoints/{id}/replay'>;

async function bulkBody(
  { client }: Remote,
  { id }: EndpointAnswer,
  flags: BulkFlags,
): Promise<BulkBody> {
  const { destination, filteredBy } = flags;
  const only = destination && (await namedDestinations(client, id, destination));
  const filtered = filteredBy === undefined ? [] : [filteredBy];
  const [by] = await namedDestinations(client, id, filtered);
  return { ...eventFilter(flags), ...defined({ destination_ids: only, filtered_by: by }) };
}

function showStarted(
  { out }: Remote,
  endpoint: EndpointAnswer,
  { queued, job_id }: BulkReplayAnswer,
): void {
  const events = counted(queued, 'event');
  out.line(queued === 0 ? `${events} queued` : `${events} queued as ${printable(job_id)}`);
  if (queued === 0) return;
  const job = `${shellWord(printable(endpoint.name))} ${printable(job_id)}`;
  out.note(`  hint: hookrelay replays get ${job} --follow`);
  out.note(`        hookrelay replays cancel ${job}`);
}

function replay({ client }: Remote, { id }: EndpointAnswer, body: BulkBody) {
  return client.call('POST /api/endpoints/{id}/replay', { params: { id }, body });
}

/** A dry run answers with `matching` instead of `queued`. */
function eventsIn(answer: CallAnswer<'POST /api/endpoints/{id}/replay'>): number {
  return 'matching' in answer ? answer.matching : answer.queued;
}

async function confirmReplay(
  context: Remote,
  endpoint: EndpointAnswer,
  body: BulkBody,
  { destination, filteredBy }: BulkFlags,
): Promise<void> {
  const matching = eventsIn(await replay(context, endpoint, { ...body, dry_run: true }));
  const what = `${counted(matching, 'event')} of ${printable(endpoint.name)}`;
  const only = filteredBy === undefined ? destination : [filteredBy];
  const where = only
    ? printable(only.join(', '))
    : counted((await destinationsOf(context.client, endpoint.id)).length, 'destination');
  if (!(await confirm(`Replay ${what} to ${where}?`))) throw failure('nothing is replayed');
}
