import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWith } from '../harness/program.ts';

/** The comparison for capture: `node:http` that reads the body and stores nothing. */

export interface BareServerOperations {
  /** Listens, and returns its URL. */
  listen(): Promise<string>;
}

const ANSWER = '{"received":true}';
const ANSWER_HEADERS = {
  'content-type': 'application/json',
  'content-length': String(ANSWER.length),
};

function listen(): Promise<string> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => res.writeHead(200, ANSWER_HEADERS).end(ANSWER));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

answerWith({ listen } satisfies BareServerOperations);
