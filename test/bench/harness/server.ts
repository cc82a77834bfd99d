import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAM } from './build.ts';
import { end, track } from './children.ts';
import { cpuSeconds, memoryOf } from './process-figures.ts';

const START_DEADLINE_MS = 60_000;
/** Its own drain takes 10 s at most. */
const STOP_GRACE_MS = 20_000;
/** Lines of its log that are kept to be shown when something fails. */
const KEPT_LOG_LINES = 20;
const COMPLAINT = /"level":"(warn|error)"/;
/** The benchmark's destinations are on this machine. */
const EXPECTED = /PRIVATE DESTINATIONS ARE ALLOWED/;

export interface ServerOptions {
  dataDir: string;
  /** Where it writes CPU profiles when it ends, or null. */
  profileDir: string | null;
  /** What to run instead of the built package, such as the packed binary. */
  command?: string[] | undefined;
  /** Settings besides. */
  env?: Record<string, string>;
}

/** The built server, as shipped, in its own process, with the data directory that it is given. */
export class HookrelayServer implements AsyncDisposable {
  readonly url: string;
  /** From its start to the line that says that it is ready. */
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
   * Stops the whole process (SIGSTOP) while something else is measured. After a
   * load it has work left for a while (indexing, deliveries), which would slow
   * whatever runs next, and so flatter this server.
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

  /** Lets all of its threads run on the first so many cores only. */
  holdToCores(count: number): void {
    const list = `0-${count - 1}`;
    const args = ['--all-tasks', '--cpu-list', '--pid', list, String(this.#child.pid)];
    const { status, error } = spawnSync('taskset', args, { stdio: ['ignore', 'ignore', 2] });
    if (status !== 0) throw error ?? new Error(`taskset ended with ${status}`);
  }

  /** Like a power cut, as far as the process is concerned: nothing is drained. */
  kill(): Promise<void> {
    return end(this.#child, 'SIGKILL', 0);
  }

  /** Drains it, and shows what it had to complain of, if anything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child, 'SIGTERM', STOP_GRACE_MS);
    for (const line of this.#log) {
      if (COMPLAINT.test(line) && !EXPECTED.test(line)) process.stderr.write(`server: ${line}\n`);
    }
  }
}

/** Nothing of the caller's settings. */
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
