/** Runs a task, one run at a time. Any number of calls during a run cause one more run. */
export class SingleRun {
  readonly #task: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #isRunning = false;
  #again = false;

  /** @param onError gets the error of a failed run. The next `ask` starts the task again */
  constructor(task: () => Promise<void>, onError: (error: unknown) => void) {
    this.#task = task;
    this.#onError = onError;
  }

  ask(): void {
    this.#again = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#task();
      }
    } catch (error) {
      this.#onError(error);
    }
    this.#isRunning = false;
  }
}
