import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { Keys } from '../../src/core/secrets/keys.ts';
import { loadSecret } from '../../src/core/secrets/secret-key.ts';
import { capture } from '../fixtures/account.ts';
import { PROGRAM } from '../fixtures/program.ts';
import { serveHere } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { World } from '../store/conformance/world.ts';
import { openStoreIn } from '../store/sqlite/temp-store.ts';
import { hookrelay, type Outcome } from './command-line.ts';

/*
 * Data directories for the tests of local commands, empty or filled, and a server
 * on one in its own process.
 */

const ROOT = new URL('../../', import.meta.url);
/** As in command-line.ts. */
const COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/hookrelay-tests', ROOT));
/** Captures under way at once: enough that commits never pause. */
const LOAD_CONNECTIONS = 8;

/** A data directory and the commands on it. */
export class DataDir {
  readonly home: string;
  readonly path: string;
  readonly #hookrelay: typeof hookrelay;

  /** @param run where its commands run: in this process, or in one of their own */
  constructor(name = 'data', run: typeof hookrelay = hookrelay) {
    this.#hookrelay = run;
    this.home = mkdtempSync(join(tmpdir(), 'hookrelay-local-'));
    this.path = join(this.home, name);
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
  }

  get database(): string {
    return join(this.path, 'hookrelay.db');
  }

  /** Runs a command on the directory to its end, without a terminal. */
  run(args: readonly string[], stdin?: string, env?: Record<string, string>): Promise<Outcome> {
    return this.#hookrelay({ home: this.home }, [...args, '--data-dir', this.path], stdin, env);
  }

  /** The same, with `--json`; fails when the command does. */
  // biome-ignore lint/suspicious/noExplicitAny: looked into by tests
  async json(...args: string[]): Promise<any> {
    const outcome = await this.run([...args, '--json']);
    if (outcome.code !== 0) throw new Error(`${args.join(' ')}: ${outcome.stderr}`);
    return outcome.json;
  }

  /** Creates, fills and closes the directory as a server does. */
  async fill<T>(work: (world: World) => Promise<T>): Promise<T> {
    const store = await openStoreIn(this.path);
    try {
      await store.claimSecret(new Keys(loadSecret(this.path, null)).checkValue);
      const world = new World({ store, reopen: async () => store, close: async () => {} });
      world.now = Date.now();
      return await work(world);
    } finally {
      await store.close();
    }
  }

  /** Name and bytes of every file, to show that a command wrote nothing. */
  snapshot(): Map<string, string> {
    return new Map(
      readdirSync(this.path)
        .sort()
        .map((name) => [name, readFileSync(join(this.path, name)).toString('latin1')]),
    );
  }
}

/** Reads a database that no process uses. */
export function query<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

export const integrity = (db: Database.Database): unknown =>
  db.pragma('integrity_check', { simple: true });

export const eventIds = (db: Database.Database): string[] =>
  db.prepare<[], string>('SELECT id FROM events ORDER BY id').pluck().all();

export interface ChildServer {
  url: string;
  port: number;
  pid: number;
  /** All output, stdout and stderr. */
  output(): string;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

/** `hookrelay serve` in this process, for a third of the CPU time. It can't be killed. */
export async function serveData(
  data: DataDir,
  ...flags: string[]
): Promise<Omit<ChildServer, 'kill'>> {
  const served = await serveHere(data.path, flags);
  return {
    url: served.url,
    port: served.port,
    pid: process.pid,
    output: () => served.stdout + served.stderr,
    async stop() {
      served.kill('SIGTERM');
      await served.exited();
    },
  };
}

/** `hookrelay serve` in a process of its own, ended with the test. */
export async function serveChild(data: DataDir, ...flags: string[]): Promise<ChildServer> {
  const args = ['serve', '--json', '--port', '0', '--data-dir', data.path, ...flags];
  const child = spawnProgram(data, args);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => end('SIGKILL'));
  const readyUrl = () => {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output}`);
    return /\{"type":"ready","url":"([^"]+)"\}/.exec(output)?.[1];
  };
  const url = await until('the server is ready', readyUrl);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

export function spawnProgram(data: DataDir, args: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: data.home, NODE_COMPILE_CACHE: COMPILE_CACHE };
  return spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

export interface Load {
  /** Ids of the events acknowledged so far. */
  acknowledged: string[];
  /** Resolves when this many more have been acknowledged. */
  goesOn(more: number): Promise<void>;
  /** Resolves when every request has its answer. */
  stop(): Promise<void>;
}

/** Captures without a pause until it is stopped. */
export async function captureLoad(captureUrl: string): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: LOAD_CONNECTIONS });
  const acknowledged: string[] = [];
  const body = JSON.stringify({ text: 'x'.repeat(500) });
  let stopped = false;
  const senders = Array.from({ length: LOAD_CONNECTIONS }, async () => {
    while (!stopped) acknowledged.push(await capture(captureUrl, body, { agent }));
  });
  // `stop` checks this failure; until then nobody could receive it.
  const finished = Promise.allSettled(senders);
  const load: Load = {
    acknowledged,
    async goesOn(more) {
      const wanted = acknowledged.length + more;
      await until(`${more} captures more`, () => acknowledged.length >= wanted);
    },
    async stop() {
      stopped = true;
      await finished;
      agent.destroy();
      await Promise.all(senders);
    },
  };
  onTestFinished(async () => {
    stopped = true;
    await finished;
    agent.destroy();
  });
  await load.goesOn(LOAD_CONNECTIONS);
  return load;
}

/** Names in a directory with this prefix. */
export function filesLike(directory: string, prefix: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter((name) => name.startsWith(prefix));
}
