import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { answerWith } from '../harness/program.ts';

/**
 * The comparison for capturing and delivering: `node:http` that answers when it has read the body,
 * and forwards it by `undici.request`. It stores nothing.
 */

export interface BareForwarderOperations {
  /** Listens, and returns its URL. */
  listen(request: { to: string[]; concurrency: number }): Promise<string>;
}

const ANSWER = '{"received":true}';
const ANSWER_HEADERS = {
  'content-type': 'application/json',
  'content-length': String(ANSWER.length),
};

function listen({ to, concurrency }: { to: string[]; concurrency: number }): Promise<string> {
  const pools = to.map((url) => new Pool(url, { connections: concurrency, pipelining: 1 }));
  const forward = async (pool: Pool, headers: string[], sent: Buffer) => {
    const { body } = await pool.request({ method: 'POST', path: '/', headers, body: sent });
    await body.dump();
  };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.writeHead(200, ANSWER_HEADERS).end(ANSWER);
      const body = Buffer.concat(chunks);
      const headers = ['content-type', req.headers['content-type'] ?? ''];
      for (const pool of pools) void forward(pool, headers, body);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

answerWith({ listen } satisfies BareForwarderOperations);
