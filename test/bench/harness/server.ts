import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { end, track } from './children.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.mjs', import.meta.url));
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
  /** Settings besides. */
  env?: Record<string, string>;
}

/** The built server, as shipped, in its own process, with the data directory that it is given. */
export class HookrelayServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #log: string[];

  static async start({ dataDir, profileDir, env }: ServerOptions): Promise<HookrelayServer> {
    const flags = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const child = track(
      spawn(
        process.execPath,
        [
          ...flags,
          CLI,
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
      return new HookrelayServer(child, await readyUrl(child), log);
    } catch (error) {
      await end(child, 'SIGKILL', 0);
      throw new Error(`the server did not start:\n${log.join('\n')}`, { cause: error });
    }
  }

  private constructor(child: ChildProcess, url: string, log: string[]) {
    this.#child = child;
    this.url = url;
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
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const read = (name: string) => {
      const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
      if (kib === undefined) throw new Error(`no ${name} in /proc: this needs Linux`);
      return Number(kib) * 1024;
    };
    return { residentBytes: read('VmRSS'), peakBytes: read('VmHWM') };
  }

  /** Drains it, and shows what it had to complain of, if anything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child, 'SIGTERM', STOP_GRACE_MS);
    for (const line of this.#log) {
      if (COMPLAINT.test(line) && !EXPECTED.test(line)) process.stderr.write(`server: ${line}\n`);
    }
  }
}

/** Nothing of the caller's settings; the thread pool that `bin/hookrelay.mjs` asks for. */
function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { UV_THREADPOOL_SIZE: '16' };
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
