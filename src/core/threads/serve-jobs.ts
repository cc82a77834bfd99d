import { parentPort } from 'node:worker_threads';
import { packFailure } from './failure-message.ts';
import type { JobAnswer, JobMessage } from './job-thread.ts';

/**
 * Serves a job thread (`job-thread.ts`), and must be called in it. It answers each request with the
 * result of `work`, which may send reports before it returns.
 *
 * @param handedOver returns the memory of an answer that is moved to the server's thread, not
 * copied
 */
export function serveJobs<Request, Answer, Report = never>(
  work: (request: Request, report: (report: Report) => void) => Answer,
  handedOver: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  const post = (message: JobAnswer<Answer, Report>, memory: ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, memory);
  parentPort?.on('message', ({ id, request }: JobMessage<Request>) => {
    const before = process.threadCpuUsage();
    const cpuMs = () => {
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    try {
      const answer = work(request, (report) => post({ id, report }));
      post({ id, cpuMs: cpuMs(), answer }, handedOver(answer));
    } catch (error) {
      post({ id, cpuMs: cpuMs(), failure: packFailure(error) });
    }
  });
  post('ready');
}
