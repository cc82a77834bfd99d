import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { UndiciLoadOperations } from '../programs/undici-load.ts';
import { end, track } from './children.ts';
import { undiciVersion } from './environment.ts';
import { Program } from './program.ts';
import { wrkScript } from './wrk-script.ts';

export interface LoadRequest {
  /** URL for POSTs of about 1 KB that differ in an id and an e-mail address. */
  url: string;
  connections: number;
  /** At least 1, in whole seconds. */
  seconds: number;
  /** Approximate size of larger bodies, bytes. */
  bodyBytes?: number | undefined;
  /** Signs the bodies (`signed-header.ts`). wrk then repeats some that are signed before. */
  secret?: string | undefined;
}

export interface LoadResult {
  /** Requests with a 2xx that the load generator saw. */
  ok: number;
  /** Other answers and broken connections. */
  failed: number;
  seconds: number;
  /** Time to the answer. */
  p50Ms: number;
  p99Ms: number;
}

export interface LoadGenerator {
  name: string;
  /** Requests under way at the end are not seen: at most as many as there are connections. */
  leavesInFlight: boolean;
  /** In a process of its own. */
  run(request: LoadRequest): Promise<LoadResult>;
}

/** wrk if it is installed, otherwise our own generator, which is slower. */
export function findLoadGenerator(dir: string, wanted: 'wrk' | 'undici' | null): LoadGenerator {
  const version = wanted === 'undici' ? null : wrkVersion();
  if (version !== null) return wrk(dir, version);
  if (wanted === 'wrk') throw new Error('wrk is not installed');
  return undici();
}

/** The output of `wrk -v`, or null without wrk. It exits 1 in either case. */
function wrkVersion(): string | null {
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  return error ? null : (/^wrk (\S+)/.exec(stdout)?.[1] ?? 'unknown');
}

/** One thread: it is far faster than `node:http`, and leaves a second core to the server. */
const WRK_THREADS = 1;
const WRK_GRACE_MS = 15_000;
const WRK_TIMEOUT = '10s';

function wrk(dir: string, version: string): LoadGenerator {
  return {
    name: `wrk ${version}`,
    leavesInFlight: true,
    async run(request) {
      const { url, connections, seconds } = request;
      // Several may run at once, each against its own server.
      const script = join(dir, `load-${new URL(url).port}.lua`);
      writeFileSync(script, wrkScript(request));
      const args = [`-t${WRK_THREADS}`, `-c${connections}`, `-d${seconds}s`];
      const child = track(
        spawn('wrk', [...args, '--timeout', WRK_TIMEOUT, '-s', script, url], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      const output = await within(child, text(child.stdout), seconds * 1000 + WRK_GRACE_MS);
      const result = /^BENCH (.*)$/m.exec(output)?.[1];
      if (!result) throw new Error(`wrk said: ${output}`);
      return JSON.parse(result) as LoadResult;
    },
  };
}

async function within<T>(child: ChildProcess, result: Promise<T>, ms: number): Promise<T> {
  const late = setTimeout(() => void end(child, 'SIGTERM', 0), ms);
  try {
    return await result;
  } finally {
    clearTimeout(late);
  }
}

function undici(): LoadGenerator {
  return {
    name: `our own with undici ${undiciVersion()}, for want of wrk (it is slow, which caps the bare server and flatters the ratios)`,
    leavesInFlight: false,
    async run(request) {
      await using program = new Program<UndiciLoadOperations>('undici-load');
      return await program.ask('run', request);
    },
  };
}
