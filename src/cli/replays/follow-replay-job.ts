import { setTimeout as sleep } from 'node:timers/promises';
import type { CallParams } from '../../api/client/typed-call.ts';
import type { ReplayJobAnswer } from '../../api/replays/replay-answer.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { patiently } from '../streams/fetch-event.ts';
import { endSignal } from '../terminal/end-signal.ts';
import { progressText, replayJobPairs } from './replay-job-output.ts';

const INTERVAL_MS = 1000;
const CLEAR_LINE = '\r\x1b[K';

/**
 * On a terminal, rewrites one line on stderr. A pipe gets a line for each change, or an object with
 * `--json`. Throws if the job was cancelled.
 */
export async function followReplayJob(
  context: Remote,
  params: CallParams<'GET /api/endpoints/{id}/replays/{jobId}'>,
): Promise<void> {
  const { client, out } = context;
  const ending = endSignal();
  const { signal } = ending;
  const progress = new Progress(context);
  try {
    // Don't retry the first poll: a missing job or an unreachable server is an error at once.
    const ask = () => client.call('GET /api/endpoints/{id}/replays/{jobId}', { params, signal });
    let job = await ask();
    progress.show(job);
    while (job.state === 'running') {
      await sleep(INTERVAL_MS, undefined, { signal });
      job = await patiently(ask, signal);
      progress.show(job);
    }
    progress.clear();
    if (!out.json) out.pairs(replayJobPairs(job));
    if (job.state === 'cancelled') throw failure('the replay was cancelled');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    progress.clear();
    ending.release();
  }
}

class Progress {
  readonly #out: Remote['out'];
  readonly #rewrites: boolean;
  #shown = '';
  #isOnLine = false;

  constructor({ out }: Remote) {
    this.#out = out;
    this.#rewrites = !out.json && process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  }

  show(job: ReplayJobAnswer): void {
    const { stderr } = process;
    const text = this.#out.json ? JSON.stringify(job) : progressText(job);
    if (text === this.#shown) return;
    this.#shown = text;
    if (this.#out.json) this.#out.ndjson(job);
    else if (job.state !== 'running') return;
    else if (this.#rewrites) {
      // Cut the text, because a wrapped line can't be cleared.
      stderr.write(CLEAR_LINE + text.slice(0, (stderr.columns || 80) - 1));
      this.#isOnLine = true;
    } else this.#out.note(text);
  }

  clear(): void {
    if (this.#isOnLine) process.stderr.write(CLEAR_LINE);
    this.#isOnLine = false;
  }
}
