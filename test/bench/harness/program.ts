import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { end, track } from './children.ts';
import { cpuSeconds } from './process-figures.ts';
import { countSystemCalls } from './system-calls.ts';

/** Requests to a program by name: one argument, one answer. */
export type Operations<T> = { [K in keyof T]: (argument: never) => unknown };

interface Question {
  id: number;
  name: string;
  argument: unknown;
}
type Answer = { id: number; value: unknown } | { id: number; error: string };

const END_GRACE_MS = 2000;

/**
 * One of `programs/` in its own process, so that measuring, sending and receiving
 * don't share an event loop. Requests go over Node's IPC channel.
 */
export class Program<T extends Operations<T>> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #lastId = 0;

  /** @param name of the file in `programs/`, without its ending */
  constructor(name: string) {
    const file = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
    this.#child = track(fork(file, { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] }));
    this.#child.on('message', (answer: Answer) => {
      const question = this.#open.get(answer.id);
      this.#open.delete(answer.id);
      if ('error' in answer) question?.reject(new Error(`${name}: ${answer.error}`));
      else question?.resolve(answer.value as never);
    });
    this.#child.on('exit', (code, signal) => {
      for (const { reject } of this.#open.values()) {
        reject(new Error(`the program ${name} ended (${signal ?? code})`));
      }
      this.#open.clear();
    });
  }

  ask<K extends keyof T & string>(
    name: K,
    ...[argument]: Parameters<T[K]>
  ): Promise<Awaited<ReturnType<T[K]>>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#open.set(id, { resolve, reject });
      this.#child.send({ id, name, argument } satisfies Question, (error) => {
        if (error) reject(error);
      });
    });
  }

  /** User and system time until now. */
  cpuSeconds(): number {
    return cpuSeconds(this.#child.pid);
  }

  /** See `countSystemCalls`. */
  systemCalls(during: () => Promise<unknown>): Promise<number | null> {
    return countSystemCalls(this.#child.pid, during);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return end(this.#child, 'SIGTERM', END_GRACE_MS);
  }
}

/** The program's side: answers requests until its parent is gone. */
export function answerWith<T extends Operations<T>>(operations: T): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      const value = await operations[name as keyof T](argument as never);
      process.send?.({ id, value } satisfies Answer);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ id, error: text } satisfies Answer);
    }
  });
  process.on('disconnect', () => process.exit());
}
