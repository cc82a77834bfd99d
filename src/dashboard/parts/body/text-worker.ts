import { memoryOf, type TextJob, TextJobs } from './text-job.ts';

/* Indexes and searches a long text beside the page, which stays free to draw. */

/** The part of a worker's global scope that is used: its types exclude those of the page. */
interface WorkerScope {
  onmessage: ((message: MessageEvent<TextJob>) => void) | null;
  postMessage(answer: unknown, moved: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const jobs = new TextJobs((answer) => scope.postMessage(answer, memoryOf(answer)));
scope.onmessage = ({ data }) => jobs.take(data);
