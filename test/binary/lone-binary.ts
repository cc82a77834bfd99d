import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../fixtures/until.ts';

const HOST = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const FILE = fileURLToPath(
  new URL(`../../dist/hookrelay-${HOST}${HOST.startsWith('win') ? '.exe' : ''}`, import.meta.url),
);

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The packed binary, copied alone to an empty directory. */
export class LoneBinary {
  readonly folder: string;
  readonly bytes: number;
  readonly #file: string;

  constructor() {
    if (!existsSync(FILE)) throw new Error(`there is no ${FILE}: run "npm run build:binary" first`);
    this.folder = mkdtempSync(join(tmpdir(), 'hookrelay-binary-test-'));
    this.#file = join(this.folder, basename(FILE));
    copyFileSync(FILE, this.#file);
    this.bytes = statSync(this.#file).size;
    mkdirSync(this.home);
  }

  /**
   * The only environment variable. Caches, profiles and the default data directory
   * are below it; without it the system would give the account's own home
   * directory.
   */
  get home(): string {
    return join(this.folder, 'home');
  }

  /** @param env besides HOME; nothing of this process's */
  spawn(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(this.#file, args, {
      cwd: this.folder,
      env: { HOME: this.home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** Runs a command to its end. */
  async run(
    args: readonly string[],
    { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
  ): Promise<Outcome> {
    const child = this.spawn(args, env);
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk) => {
      outcome.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      outcome.stderr += chunk;
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    [outcome.code] = await once(child, 'close');
    return outcome;
  }

  /** The same with `--json`, parsed; throws when it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's JSON, looked into by tests
  async json(args: readonly string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A long-running command, and its output. */
export class Running {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly #startedAt = performance.now();
  /** From the start to the first byte of stdout, ms. */
  firstOutputMs: number | null = null;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk) => {
      this.firstOutputMs ??= performance.now() - this.#startedAt;
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  /** Resolves with the first line of stdout that has the text, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: NDJSON, looked into by tests
  async printed(text: string): Promise<any> {
    const line = await until(`${text} on stdout`, () => {
      if (this.child.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
      return this.stdout
        .split('\n')
        .slice(0, -1)
        .find((line) => line.includes(text));
    });
    return JSON.parse(line);
  }

  /** Ends it and returns its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const closed = once(this.child, 'close');
    this.child.kill(signal);
    const [code] = await closed;
    return code;
  }
}
