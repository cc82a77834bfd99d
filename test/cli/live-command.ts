import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type StartedCommand, startHere } from '../fixtures/in-process.ts';
import { PROGRAM } from '../fixtures/program.ts';
import { until } from '../fixtures/until.ts';
import type { Shell } from './command-line.ts';

/* Commands that run until they are ended: tail and listen. */

const ROOT = new URL('../../', import.meta.url);
const COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/hookrelay-tests', ROOT));
/** Longest output in a failure's message, characters. */
const MOST_SHOWN = 2000;

/** All variables of a command: none from this process. */
function liveEnvironment(
  { home, url, token }: Shell,
  env: Record<string, string> = {},
): Record<string, string> & { HOME: string } {
  return {
    PATH: process.env.PATH as string,
    HOME: home,
    TZ: 'UTC',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...(url !== undefined && { HOOKRELAY_URL: url }),
    ...(token !== undefined && { HOOKRELAY_TOKEN: token }),
    ...env,
  };
}

type Start = typeof startHere;

/** Starts a command in a process of its own. Its exit code is -1 after a signal. */
export const startProcess: Start = (args, env, output) => {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', output.stdout);
  child.stderr.on('data', output.stderr);
  return {
    signal: (name) => child.kill(name),
    ended: once(child, 'close').then(([code]) => code ?? -1),
  };
};

/** A command that runs until it is ended. */
export class LiveCommand {
  stdout = '';
  stderr = '';
  /** Null while it runs. */
  exitCode: number | null = null;
  readonly #started: StartedCommand;

  /** @param start where it runs: in this process, or in one of its own */
  constructor(
    shell: Shell,
    args: readonly string[],
    env: Record<string, string> = {},
    start: Start = startHere,
  ) {
    const output = {
      stdout: (chunk: Buffer) => {
        this.stdout += chunk;
      },
      stderr: (chunk: Buffer) => {
        this.stderr += chunk;
      },
    };
    this.#started = start(args, liveEnvironment(shell, env), output);
    this.#started.ended.then((code) => {
      this.exitCode = code;
    });
    onTestFinished(async () => {
      if (this.exitCode !== null) return;
      this.#started.signal(start === startHere ? 'SIGTERM' : 'SIGKILL');
      await this.#started.ended;
    });
  }

  /** Whole lines of stdout. */
  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  /** Each line as strict JSON. Throws for any other line. */
  // biome-ignore lint/suspicious/noExplicitAny: NDJSON, looked into by tests
  get records(): any[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  // biome-ignore lint/suspicious/noExplicitAny: NDJSON, looked into by tests
  of(type: string): any[] {
    return this.records.filter((record) => record.type === type);
  }

  /** Resolves with the records of a type once there are this many. */
  // biome-ignore lint/suspicious/noExplicitAny: NDJSON, looked into by tests
  async printed(type: string, count = 1): Promise<any[]> {
    return this.#seen(`${count} × ${type}`, () => {
      const records = this.of(type);
      return records.length >= count && records;
    });
  }

  async printedLines(count: number): Promise<string[]> {
    return this.#seen(`${count} lines`, () => this.lines.length >= count && this.lines);
  }

  /** Resolves when stderr has the text. */
  async noted(text: string): Promise<void> {
    await this.#seen(`"${text}" on stderr`, () => this.stderr.includes(text));
  }

  /** Ends the command as Ctrl-C does, or by this signal, and returns the exit code. */
  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<number> {
    this.#started.signal(signal);
    return this.ended();
  }

  async ended(): Promise<number> {
    await until('the command ends', () => this.exitCode !== null);
    return this.exitCode as number;
  }

  async #seen<T>(what: string, look: () => T): Promise<NonNullable<Exclude<T, false | '' | 0>>> {
    const seen = () => {
      const found = look();
      if (!found && this.exitCode !== null) {
        throw new Error(`ended with ${this.exitCode} before ${what}: ${this.stderr}`);
      }
      return found;
    };
    try {
      return await until(what, seen);
    } catch (error) {
      const said = (text: string) => text.slice(-MOST_SHOWN);
      throw new Error(
        `${String(error)}\nstdout: ${said(this.stdout)}\nstderr: ${said(this.stderr)}`,
      );
    }
  }
}

/** A port of 127.0.0.1 without a listener. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Everything that a terminal may interpret: all but line breaks, tabs and text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

export function controlsIn(text: string): string | null {
  return CONTROLS.exec(text)?.[0] ?? null;
}
