/**
 * Why Ollama gave no answer:
 *
 * - `unreachable`: nothing speaks HTTP there
 * - `model_missing`: it doesn't have the model
 * - `busy`: it has too much to do itself
 * - `timeout`: the deadline ended it
 * - `malformed`: what came isn't what was asked for
 * - `ungrounded`: the model says what the facts don't have, or repeats its instructions
 * - `failed`: an error of its own
 */
export type OllamaFailure =
  | 'unreachable'
  | 'model_missing'
  | 'busy'
  | 'timeout'
  | 'malformed'
  | 'ungrounded'
  | 'failed';

export class OllamaError extends Error {
  override readonly name = 'OllamaError';
  readonly failure: OllamaFailure;

  constructor(failure: OllamaFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
