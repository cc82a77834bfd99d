import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** How many files the table has. */
const ROWS = 10;

/**
 * Ends a run with its ten slowest files and a count of its tests. A file has a budget:
 * what takes longer is marked, and is the first to look at.
 *
 * Appends the count to the file in TEST_COUNTS, from which `.ci/run` adds up its stages.
 */
export class SlowestFiles implements Reporter {
  readonly #budgetS: number;

  /** @param budgetS time that a file of the suite should take at most, s */
  constructor(budgetS: number) {
    this.#budgetS = budgetS;
  }

  onTestRunEnd(files: readonly TestModule[]): void {
    const timed = files
      .map((file) => ({
        path: file.relativeModuleId,
        seconds: (file.diagnostic().collectDuration + file.diagnostic().duration) / 1000,
        tests: [...file.children.allTests()].map((test) => test.result().state),
      }))
      .sort((a, b) => b.seconds - a.seconds);
    const over = timed.filter(({ seconds }) => seconds > this.#budgetS).length;
    const rows = timed.slice(0, ROWS).map(({ path, seconds, tests }) => {
      const mark = seconds > this.#budgetS ? '!' : ' ';
      return `${mark}${seconds.toFixed(1).padStart(7)} s ${String(tests.length).padStart(5)}  ${path}\n`;
    });
    const states = timed.flatMap(({ tests }) => tests);
    const count = (state: string) => states.filter((one) => one === state).length;
    const counted = `tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`;
    process.stdout.write(
      `\nslowest files, with their tests (over the budget of ${this.#budgetS} s a file: ${over})\n${rows.join('')}\n${counted}`,
    );
    const { TEST_COUNTS } = process.env;
    if (TEST_COUNTS) appendFileSync(TEST_COUNTS, counted);
  }
}
