import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWith } from '../harness/program.ts';

/** A destination whose work takes time: `node:http` that answers 200 to everything, later. */

export interface SlowReceiverOperations {
  /** Listens, and returns its URL. */
  listen(request: SlowWork): Promise<string>;
  /** From each request's arrival to its answer since the last call, in ms, in order. */
  takeAnswerTimes(): number[];
}

export interface SlowWork {
  workMs: number;
  /** Requests worked on at once; the others wait in a queue. No bound where it is null. */
  workers: number | null;
}

const KEEP_ALIVE_MS = 65_000;

let answerTimes: number[] = [];

function listen({ workMs, workers }: SlowWork): Promise<string> {
  const queue: (() => void)[] = [];
  let working = 0;
  const work = (answer: () => void) => {
    working++;
    setTimeout(() => {
      answer();
      working--;
      const next = queue.shift();
      if (next) work(next);
    }, workMs);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const arrivedAt = performance.now();
    req.resume().on('end', () => {
      const answer = () => {
        answerTimes.push(performance.now() - arrivedAt);
        res.writeHead(200, { 'content-length': '2' }).end('ok');
      };
      if (workers === null || working < workers) work(answer);
      else queue.push(answer);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function takeAnswerTimes(): number[] {
  const taken = answerTimes;
  answerTimes = [];
  return taken;
}

answerWith({ listen, takeAnswerTimes } satisfies SlowReceiverOperations);
