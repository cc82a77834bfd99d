import type { Command } from '@commander-js/extra-typings';
import type { CallParams } from '../../api/client/typed-call.ts';
import { idOf } from '../arguments.ts';
import { ENDPOINT_HELP, findEndpoint } from '../client/endpoint-ref.ts';
import { type PageFlags, pageFlags, showPage } from '../client/page-flags.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { hasCode, withHint } from '../command-error.ts';
import { commandPart } from '../command-part.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { followReplayJob } from './follow-replay-job.ts';
import { replayJobColumns, replayJobPairs } from './replay-job-output.ts';

const MAX_LIMIT = 1000;

const addPageFlags = pageFlags('replays', MAX_LIMIT);
const JOB = 'GET /api/endpoints/{id}/replays/{jobId}';

const jobId = idOf('job', 'a bulk replay');

export function addReplaysCommand(program: Command): void {
  const group = program
    .command('replays')
    .description('bulk replays: list, get, follow, cancel')
    .addHelpText(
      'after',
      examplesText(['replays list orders', 'replays get orders job_01kxyz… --follow']),
    );
  remote(
    addPageFlags(
      group
        .command('list')
        .description("list an endpoint's bulk replays, newest first")
        .argument('<endpoint>', ENDPOINT_HELP),
    ),
    'replays list orders',
    "replays list orders --json | jq -r '.data[] | select(.dead > 0).id'",
  ).action(withRemote(listJobs));
  remote(
    jobArguments(group.command('get').description('show the progress of a bulk replay'))
      .option('--follow', 'show its progress until it ends; exit with 1 if it was cancelled')
      .option(
        '--json',
        'print JSON, as the API answers it; with --follow, one object per change, on a line',
      ),
    'replays get orders job_01kxyz…',
    'replays get orders job_01kxyz… --follow',
  ).action(withRemote(showJob));
  remote(
    jobArguments(
      group
        .command('cancel')
        .description('stop a bulk replay and cancel its open deliveries; others stay as they are'),
    ),
    'replays cancel orders job_01kxyz…',
  ).action(withRemote(cancelJob));
}

const jobArguments = commandPart((command) =>
  command.argument('<endpoint>', ENDPOINT_HELP).argument('<job>', "the bulk replay's id", jobId),
);

async function listJobs(
  { client, out }: Remote,
  reference: string,
  { limit, page }: PageFlags,
): Promise<void> {
  const { id, name } = await findEndpoint(client, reference);
  const found = await client.call('GET /api/endpoints/{id}/replays', {
    params: { id },
    query: { limit, page },
  });
  const start = `hookrelay replay --endpoint ${shellWord(name)} --status dead_letter`;
  const empty = `${name} has no bulk replay. Start one: ${start}`;
  showPage(out, 'replay', found, replayJobColumns, empty);
}

async function showJob(
  context: Remote,
  reference: string,
  job: string,
  { follow }: { follow?: boolean },
): Promise<void> {
  const { client, out } = context;
  await withJob(context, reference, job, async (params) => {
    if (follow) await followReplayJob(context, params);
    else out.object(await client.call(JOB, { params }), replayJobPairs);
  });
}

/** A finished job stays as it is. */
async function cancelJob(context: Remote, reference: string, job: string): Promise<void> {
  const { client, out } = context;
  await withJob(context, reference, job, async (params) => {
    await client.call('DELETE /api/endpoints/{id}/replays/{jobId}', { params });
    out.object(await client.call(JOB, { params }), replayJobPairs);
  });
}

/** @param run gets the path parameters of the job in the API */
async function withJob(
  { client }: Remote,
  reference: string,
  job: string,
  run: (params: CallParams<typeof JOB>) => Promise<void>,
): Promise<void> {
  const endpoint = await findEndpoint(client, reference);
  try {
    await run({ id: endpoint.id, jobId: job });
  } catch (error) {
    if (!hasCode(error, 'replay_not_found')) throw error;
    throw withHint(error, `hookrelay replays list ${shellWord(endpoint.name)}`);
  }
}
