import { toJsonSchema } from '@valibot/to-json-schema';
import { Ollama } from 'ollama';
import * as v from 'valibot';
import { guardedFetch } from './guarded-fetch.ts';
import { OllamaError } from './ollama-error.ts';
import type { Question } from './prompts.ts';

/** The longest text of an answer, characters. The prompts ask for far less. */
const MAX_ANSWER_CHARACTERS = 64 * 1024;
/**
 * The size of the context, tokens. It holds the longest prompt (about 12,000 characters) and its
 * answer.
 */
const CONTEXT_TOKENS = 8192;
const MAX_ANSWER_TOKENS = 1500;
/** A low temperature, so that answers state facts and invent less. */
const TEMPERATURE = 0.2;
/** Deadline for the list of models, ms. An Ollama that runs answers at once. */
const LIST_TIMEOUT_MS = 1000;

export interface OllamaOptions {
  /** Base URL without a trailing slash. */
  url: string;
  model: string;
  /** Deadline of a whole answer, ms. It includes loading the model from disk. */
  deadlineMs: number;
}

/** A client of Ollama's API: https://github.com/ollama/ollama/blob/main/docs/api.md */
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

  /** Returns whether Ollama has the model. Throws `OllamaError`. */
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
   * Asks for an answer that fits the schema. Ollama restricts the model by a grammar, and the
   * client validates the answer too. The client streams the answer so that it can stop an endless
   * one.
   *
   * Throws `OllamaError`, or the signal's reason after an abort.
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
        // Thinking would use up the answer's tokens. Models that can't think ignore the option.
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
          throw new OllamaError('malformed', 'the model’s answer does not end');
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
    // The parser's error quotes the model's words, and they must not get into the log.
    throw new OllamaError('malformed', 'the model’s answer is not JSON');
  }
  const result = v.safeParse(shape, value);
  if (result.success) return result.output;
  throw new OllamaError('malformed', 'the model’s answer does not fit the schema');
}

/** Removes the code fence that models put around answers if no grammar restricts them. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  return /^```[\w-]*\r?\n([\s\S]*?)\r?\n?```$/.exec(trimmed)?.[1] ?? trimmed;
}

/**
 * Wraps an error of the package, such as an error line or a broken stream. The package's own texts
 * aren't stable.
 */
function named(error: unknown): OllamaError {
  if (error instanceof OllamaError) return error;
  const { message, cause } = error instanceof Error ? error : { message: String(error) };
  if (cause instanceof OllamaError) return cause;
  return new OllamaError('failed', `Ollama broke off (${message.slice(0, 200)})`, error);
}
