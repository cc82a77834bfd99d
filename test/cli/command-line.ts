import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import pty from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { type Account, register } from '../fixtures/account.ts';
import { startHere } from '../fixtures/in-process.ts';
import { PROGRAM } from '../fixtures/program.ts';
import { type TestServer, tempDir } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/*
 * The command line as people and scripts use it: in this process, in its own process,
 * in a pipe, or at a terminal.
 */

const ROOT = new URL('../../', import.meta.url);
/** Directory for Node's compiled sources: it halves the start time of a process. */
const COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/hookrelay-tests', ROOT));

/** How a command ended. */
export class Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout, byte for byte. */
  readonly bytes: Buffer;

  constructor(
    code: number | null,
    signal: NodeJS.Signals | null,
    stdout: Buffer[],
    stderr: Buffer[],
  ) {
    this.code = code;
    this.signal = signal;
    this.bytes = Buffer.concat(stdout);
    this.stdout = this.bytes.toString('utf8');
    this.stderr = Buffer.concat(stderr).toString('utf8');
  }

  /** Parsed stdout. Throws with the command's end when stdout isn't strict JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's JSON, looked into by tests
  get json(): any {
    try {
      return JSON.parse(this.stdout);
    } catch (cause) {
      const end = this.code ?? this.signal;
      throw new Error(`no JSON: exit ${end}, ${this.stdout || '(no output)'} ${this.stderr}`, {
        cause,
      });
    }
  }

  /** stdout parsed line by line. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's JSON, looked into by tests
  get lines(): any[] {
    const lines = this.stdout.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
}

/** The user of a command: a home directory (mostly for profiles), a server, a token. */
export interface Shell {
  home: string;
  url?: string;
  token?: string;
}

function environment({ home, url, token }: Shell): Record<string, string> {
  return {
    PATH: process.env.PATH as string,
    HOME: home,
    XDG_CONFIG_HOME: home,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...(url !== undefined && { HOOKRELAY_URL: url }),
    ...(token !== undefined && { HOOKRELAY_TOKEN: token }),
  };
}

/** A new account, and a shell with its API token. */
export async function accountShell(server: TestServer): Promise<{
  shell: Shell;
  account: Account;
  run: (...args: string[]) => Promise<Outcome>;
}> {
  const account = await register(server);
  const { json } = await account.call('POST', '/api/tokens', { name: 'cli' });
  server.secrets.push(json.token);
  const shell = { home: tempDir(), url: server.url, token: json.token as string };
  return { shell, account, run: (...args) => hookrelay(shell, args) };
}

/** Runs a command to its end in this process, without a terminal. */
export async function hookrelay(
  shell: Shell,
  args: readonly string[],
  stdin?: string,
  env: Record<string, string> = {},
): Promise<Outcome> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const output = {
    stdout: (chunk: Buffer) => void stdout.push(chunk),
    stderr: (chunk: Buffer) => void stderr.push(chunk),
  };
  const variables = { ...environment(shell), HOME: shell.home, ...env };
  const code = await startHere(args, variables, output, stdin).ended;
  return new Outcome(code, null, stdout, stderr);
}

/** The same in a process of its own; its stdout may be a file. */
export function hookrelayProcess(
  shell: Shell,
  args: readonly string[],
  stdin?: string,
  env: Record<string, string> = {},
  stdoutFile?: string,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const fd = stdoutFile === undefined ? null : openSync(stdoutFile, 'w');
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...environment(shell), ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', fd ?? 'pipe', 'pipe'],
    });
    if (fd !== null) closeSync(fd);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(new Outcome(code, signal, stdout, stderr)));
  });
}

/** Runs a command whose reader goes away after the first bytes. */
export function hookrelayCutOff(shell: Shell, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: environment(shell),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stderr: Buffer[] = [];
    child.stdout.once('data', () => child.stdout.destroy());
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(new Outcome(code, signal, [], stderr)));
  });
}

/** A command at a terminal. */
export class Terminal {
  /** All output, stdout and stderr in order of arrival. */
  screen = '';
  exitCode: number | null = null;
  readonly #pty: pty.IPty;

  constructor(
    shell: Shell,
    args: readonly string[],
    { columns = 80, env = {} }: { columns?: number; env?: Record<string, string> } = {},
  ) {
    this.#pty = pty.spawn(process.execPath, [PROGRAM, ...args], {
      name: 'xterm-256color',
      cols: columns,
      rows: 24,
      env: { ...environment(shell), ...env },
    });
    this.#pty.onData((text) => {
      this.screen += text;
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.exitCode = signal ? 128 + signal : exitCode;
    });
    onTestFinished(() => {
      if (this.exitCode === null) this.#pty.kill('SIGKILL');
    });
  }

  /** Waits until the text is on the screen, counted from the last `seen` or `type`. */
  async seen(text: string): Promise<this> {
    await until(`"${text}" on the screen`, () => this.screen.includes(text) || this.#ended());
    if (!this.screen.includes(text)) throw new Error(`no "${text}" in: ${this.screen}`);
    return this;
  }

  /** Presses keys; `\r` is Enter, `\x03` Ctrl-C. */
  type(keys: string): this {
    this.#pty.write(keys);
    return this;
  }

  /** Waits for the end, and returns the exit code. */
  async ended(): Promise<number> {
    await until('the command ends', () => this.exitCode !== null);
    return this.exitCode as number;
  }

  /** The lines on the screen, without colours and cleared text. */
  get lines(): string[] {
    return this.screen.split('\r\n').map((line) => {
      const left = line.split('\r\x1b[K').at(-1) as string;
      return stripVTControlCharacters(left).trimEnd();
    });
  }

  #ended(): boolean {
    return this.exitCode !== null;
  }
}
