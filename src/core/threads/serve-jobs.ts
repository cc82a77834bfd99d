import { parentPort } from 'node:worker_threads';
import type { JobAnswer, JobMessage } from './job-thread.ts';

/** A job thread's end of `job-thread.ts`: answers each request with what `work` returns. */
export function serveJobs<Request, Answer>(work: (request: Request) => Answer): void {
  const post = (answer: JobAnswer<Answer>) => parentPort?.postMessage(answer);
  parentPort?.on('message', ({ id, request }: JobMessage<Request>) => {
    try {
      post({ id, answer: work(request) });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      post({ id, error: text });
    }
  });
  post('ready');
}
