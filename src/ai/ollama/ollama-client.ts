import { toJsonSchema } from '@valibot/to-json-schema';
import { Ollama } from 'ollama';
import * as v from 'valibot';
import { guardedFetch } from './guarded-fetch.ts';
import { OllamaError } from './ollama-error.ts';
import type { Question } from './prompts.ts';

/** An answer's text; ours ask for far less. */
const MAX_ANSWER_CHARACTERS = 64 * 1024;
/** Room for the longest prompt (12,000 characters or so) and its answer, tokens. */
const CONTEXT_TOKENS = 8192;
const MAX_ANSWER_TOKENS = 1500;
/** Little invention: facts are to be told. */
const TEMPERATURE = 0.2;
/** A list of models is at hand or Ollama isn't, ms. */
const LIST_TIMEOUT_MS = 1000;

export interface OllamaOptions {
  /** Without a trailing slash. */
  url: string;
  model: string;
  /** For a whole answer, from the first byte sent; a model may have to be loaded from disk first. */
  deadlineMs: number;
}

/** Ollama's API as far as it is needed here: https://github.com/ollama/ollama/blob/main/docs/api.md */
export class OllamaClient {
  readonly #options: OllamaOptions;

  constructor(options: OllamaOptions) {
    this.#options = options;
  }

  get model(): string {
    return this.#options.model;
  }

  get url(): string {
    return this.#options.url;
  }

  /** Whether Ollama has the model. Throws `OllamaError`. */
  async hasModel(): Promise<boolean> {
    const timeout = AbortSignal.timeout(LIST_TIMEOUT_MS);
    try {
      const { models } = await this.#ollama(timeout).list();
      const wanted = [this.model, `${this.model}:latest`];
      return models.some(({ name, model }) => wanted.includes(name) || wanted.includes(model));
    } catch (error) {
      throw timeout.aborted ? new OllamaError('timeout', 'Ollama does not answer') : named(error);
    }
  }

  /**
   * Asks for an answer of this shape: the model is held to it by a grammar
   * (structured outputs), and what comes is checked all the same.
   *
   * Streamed, so that an answer which runs on is cut, and Ollama stops working
   * when the connection closes. Throws `OllamaError`; rejects with the signal's
   * reason when it is aborted.
   */
  async ask<S extends v.GenericSchema>(
    question: Pick<Question, 'system' | 'prompt'>,
    shape: S,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S>> {
    const timeout = AbortSignal.timeout(this.#options.deadlineMs);
    const { $schema: _, ...format } = toJsonSchema(shape, { errorMode: 'ignore' });
    let text = '';
    try {
      const parts = await this.#ollama(AbortSignal.any([signal, timeout])).chat({
        model: this.model,
        messages: [
          { role: 'system', content: question.system },
          { role: 'user', content: question.prompt },
        ],
        format,
        stream: true,
        // Models that think would do so within the answer's budget; others ignore it.
        think: false,
        options: {
          num_ctx: CONTEXT_TOKENS,
          num_predict: MAX_ANSWER_TOKENS,
          temperature: TEMPERATURE,
        },
      });
      for await (const part of parts) {
        text += part.message?.content ?? '';
        if (text.length > MAX_ANSWER_CHARACTERS) {
          parts.abort();
          throw new OllamaError('malformed', 'the answer of the model does not end');
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) {
        const seconds = Math.round(this.#options.deadlineMs / 1000);
        throw new OllamaError('timeout', `Ollama did not finish within ${seconds} s`, error);
      }
      throw named(error);
    }
    return parsed(text, shape);
  }

  #ollama(signal: AbortSignal): Ollama {
    return new Ollama({ host: this.url, fetch: guardedFetch(signal) });
  }
}

function parsed<S extends v.GenericSchema>(text: string, shape: S): v.InferOutput<S> {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(text));
  } catch {
    // The parser's own error quotes what the model said, and it would be in the log.
    throw new OllamaError('malformed', 'the answer of the model is not JSON');
  }
  const result = v.safeParse(shape, value);
  if (result.success) return result.output;
  throw new OllamaError('malformed', 'the answer of the model lacks what was asked for');
}

/** Models that aren't held to a grammar like to put answers into a code fence. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  return /^```[\w-]*\r?\n([\s\S]*?)\r?\n?```$/.exec(trimmed)?.[1] ?? trimmed;
}

/** What the package throws of its own says nothing stable: an error line, or a stream cut off. */
function named(error: unknown): OllamaError {
  if (error instanceof OllamaError) return error;
  const { message, cause } = error instanceof Error ? error : { message: String(error) };
  if (cause instanceof OllamaError) return cause;
  return new OllamaError('failed', `Ollama broke off (${message.slice(0, 200)})`, error);
}
