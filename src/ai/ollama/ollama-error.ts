/**
 * The reason why Ollama gave no usable answer:
 *
 * - `unreachable`: no HTTP server answers at the URL
 * - `model_missing`: Ollama doesn't have the model
 * - `busy`: Ollama is overloaded
 * - `timeout`: the deadline passed
 * - `malformed`: the answer doesn't fit the schema
 * - `ungrounded`: the answer contains something that isn't among the facts, or repeats the
 *   instructions
 * - `failed`: Ollama reported another error
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
