import { parentPort } from 'node:worker_threads';
import { packFailure } from './failure-message.ts';
import type { JobAnswer, JobMessage } from './job-thread.ts';

/** A job thread's end of `job-thread.ts`: answers each request with what `work` returns. */
export function serveJobs<Request, Answer>(work: (request: Request) => Answer): void {
  const post = (answer: JobAnswer<Answer>) => parentPort?.postMessage(answer);
  parentPort?.on('message', ({ id, request }: JobMessage<Request>) => {
    try {
      post({ id, answer: work(request) });
    } catch (error) {
      post({ id, failure: packFailure(error) });
    }
  });
  post('ready');
}
