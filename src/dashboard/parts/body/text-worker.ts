import { answersOf, memoryOf, type TextJob } from './text-job.ts';

/* Indexes and searches a long text in a worker, so that the page stays free to draw. */

/**
 * The part of a worker's global scope that this file uses. TypeScript's worker types clash with its
 * page types.
 */
interface WorkerScope {
  onmessage: ((message: MessageEvent<string | TextJob>) => void) | null;
  postMessage(answer: unknown, moved: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let text = '';
scope.onmessage = ({ data }) => {
  if (typeof data === 'string') text = data;
  else for (const answer of answersOf(text, data)) scope.postMessage(answer, memoryOf(answer));
};
