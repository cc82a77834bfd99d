import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAM } from './build.ts';
import { end, track } from './children.ts';
import { cpuSeconds, memoryOf, writtenBytes } from './process-figures.ts';
import { countSystemCalls } from './system-calls.ts';

const START_DEADLINE_MS = 60_000;
/** The server's own drain takes 10 s at most. */
const STOP_GRACE_MS = 20_000;
/** Lines of its log that are kept for a failure's message. */
const KEPT_LOG_LINES = 20;
const COMPLAINT = /"level":"(warn|error)"/;
/** The benchmark's destinations are on this machine. */
const EXPECTED = /PRIVATE DESTINATIONS ARE ALLOWED/;

export interface ServerOptions {
  dataDir: string;
  /** Directory for its CPU profiles at the end, or null. */
  profileDir: string | null;
  /** The program to run instead of the built package, such as the packed binary. */
  command?: string[] | undefined;
  /** Additional settings. */
  env?: Record<string, string>;
}

/** The built server as shipped, in its own process, on the given data directory. */
export class HookrelayServer implements AsyncDisposable {
  readonly url: string;
  /** Time from its start to its ready line. */
  readonly readyMs: number;
  readonly #child: ChildProcess;
  readonly #log: string[];

  static async start(options: ServerOptions): Promise<HookrelayServer> {
    const { dataDir, profileDir, command, env } = options;
    const startedAt = performance.now();
    const profiling = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const [program, ...args] = command ?? [process.execPath, ...profiling, PROGRAM];
    const child = track(
      spawn(
        program as string,
        [
          ...args,
          'serve',
          '--json',
          '--port',
          '0',
          '--data-dir',
          dataDir,
          '--allow-private-destinations',
          '--log-format',
          'json',
        ],
        { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), ...env } },
      ),
    );
    const log: string[] = [];
    createInterface(child.stderr).on('line', (line) => {
      log.push(line);
      if (log.length > KEPT_LOG_LINES) log.shift();
    });
    try {
      const url = await readyUrl(child);
      return new HookrelayServer(child, url, performance.now() - startedAt, log);
    } catch (error) {
      await end(child, 'SIGKILL', 0);
      throw new Error(`the server did not start:\n${log.join('\n')}`, { cause: error });
    }
  }

  private constructor(child: ChildProcess, url: string, readyMs: number, log: string[]) {
    this.#child = child;
    this.url = url;
    this.readyMs = readyMs;
    this.#log = log;
  }

  /**
   * Stops the whole process (SIGSTOP) during another measurement. After a load it
   * has work left for a while (indexing, deliveries), which would slow the other
   * measurement and flatter this server.
   */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Resident memory now and at its highest, bytes. */
  memory(): { residentBytes: number; peakBytes: number } {
    return memoryOf(this.#child.pid);
  }

  /** User and system time until now. */
  cpuSeconds(): number {
    return cpuSeconds(this.#child.pid);
  }

  /** Bytes that it has caused to be written to the disk until now. */
  writtenBytes(): number {
    return writtenBytes(this.#child.pid);
  }

  /** See `countSystemCalls`. */
  systemCalls(during: () => Promise<unknown>): Promise<number | null> {
    return countSystemCalls(this.#child.pid, during);
  }

  /** Restricts all its threads to the first cores, this many. */
  holdToCores(count: number): void {
    const list = `0-${count - 1}`;
    const args = ['--all-tasks', '--cpu-list', '--pid', list, String(this.#child.pid)];
    const { status, error } = spawnSync('taskset', args, { stdio: ['ignore', 'ignore', 2] });
    if (status !== 0) throw error ?? new Error(`taskset ended with ${status}`);
  }

  /** A power cut as the process sees it: nothing is drained. */
  kill(): Promise<void> {
    return end(this.#child, 'SIGKILL', 0);
  }

  /** Drains it, and shows the warnings and errors of its log. */
  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child, 'SIGTERM', STOP_GRACE_MS);
    for (const line of this.#log) {
      if (COMPLAINT.test(line) && !EXPECTED.test(line)) process.stderr.write(`server: ${line}\n`);
    }
  }
}

/** Without the caller's settings. */
function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith('HOOKRELAY_') && name !== 'NODE_OPTIONS') env[name] = value;
  }
  return env;
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('not ready in time')), START_DEADLINE_MS);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    child.once('error', reject);
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      const { type, url } = JSON.parse(line) as { type: string; url: string };
      if (type !== 'ready') return;
      clearTimeout(late);
      resolve(url);
    });
  });
}
