import { randomBytes } from 'node:crypto';
import type * as v from 'valibot';
import { HookrelayError } from '../core/errors.ts';
import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { JobTerms } from '../core/threads/job-thread.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';
import { Turns } from '../core/turns/turns.ts';
import type { Case, Diagnosis } from './diagnose/case.ts';
import type { AiEvent } from './event-input.ts';
import type { GeneratedHandler } from './handler/generate-handler.ts';
import type { Foreign, Ground } from './ollama/grounding.ts';
import {
  diagnoseAnswer,
  explainAnswer,
  foreignInDiagnosis,
  foreignInExplanation,
  foreignInHandler,
  handlerAnswer,
  withDiagnosis,
  withExplanation,
  withPlan,
} from './ollama/model-answers.ts';
import { OllamaClient } from './ollama/ollama-client.ts';
import { OllamaError, type OllamaFailure } from './ollama/ollama-error.ts';
import { OllamaStatus } from './ollama/ollama-status.ts';
import {
  diagnoseQuestion,
  explainQuestion,
  handlerQuestion,
  type Question,
} from './ollama/prompts.ts';
import { type SlotLimits, Slots } from './slots.ts';
import { generateSchema } from './types/generate-schema.ts';
import { TypeGenerator } from './types/type-generator.ts';

/** Operations that run at once. Each has a body of up to 25 MiB. */
const OPERATION_SLOTS: SlotLimits = { total: 16, perAccount: 8 };
const OPERATION_RETRY_S = 2;
/** Requests that Ollama gets at once. It works on one or two. More would time out in its queue. */
const MODEL_SLOTS: SlotLimits = { total: 4, perAccount: 2 };
const MODEL_RETRY_S = 10;
/** How long Ollama gets no requests after a timeout, ms. */
const TIMEOUT_HOLD_MS = 60_000;
const NONCE_BYTES = 12;

interface AiSettings {
  /**
   * - `auto`: Ollama, if it answers and has the model. Otherwise, or if Ollama fails half-way, the
   *   builtin engine.
   * - `ollama`: Ollama. If it fails, the builtin engine's answer with a note why. Schemas still come
   *   from the builtin engine.
   * - `builtin`: only the builtin engine.
   * - `off`: 503 `ai_unavailable` for all four operations.
   */
  mode: 'auto' | 'ollama' | 'builtin' | 'off';
  ollamaUrl: string;
  ollamaModel: string;
  /** Deadline for a model's whole answer, ms. It includes the time to load the model from disk. */
  timeoutMs: number;
}

export interface AiOptions extends AiSettings {
  /** The CPU time that each account used. Accounts take turns by it when types are made. */
  cpu: CpuUse;
  clock: Clock;
  log: Logger;
}

/**
 * The account that asks. Its share of the slots is limited. The signal stops the work when the
 * client leaves.
 */
export interface AiCaller {
  account: string;
  signal: AbortSignal;
}

interface Made {
  /** `builtin`, or `ollama/` followed by the model. */
  engine: string;
  /** Why the configured model has no part in the answer. */
  note?: string;
}

/** A model's answer, or null if the builtin engine's answer stands alone. */
interface Asked<T> {
  answer: T | null;
  note?: string;
}

/**
 * The four AI operations. The builtin engine always answers first. A model gets that answer as its
 * facts, and its words follow the facts. If the model fails, or adds foreign facts, the caller gets
 * only the builtin answer, with a note if the server should use the model. Schemas come only from the builtin engine, because a model would guess.
 *
 * Each operation loads its code at its first use, so that the server starts faster.
 */
export class AiOperations {
  readonly #options: AiOptions;
  readonly #client: OllamaClient;
  readonly #status: OllamaStatus;
  readonly #operations = new Slots(OPERATION_SLOTS);
  readonly #models = new Slots(MODEL_SLOTS);
  readonly #types: TypeGenerator;
  readonly #turns: Turns;

  constructor(options: AiOptions) {
    const { ollamaUrl: url, ollamaModel: model, timeoutMs: deadlineMs } = options;
    this.#options = options;
    this.#types = new TypeGenerator({ cpu: options.cpu });
    this.#turns = new Turns({ slots: 1, slotsPerKey: 1, cpu: options.cpu });
    this.#client = new OllamaClient({ url, model, deadlineMs });
    this.#status = new OllamaStatus(this.#client, options.clock);
  }

  /**
   * Returns the engine that would answer now, with a hint if it isn't the configured one. Returns null
   * if AI is off. Takes at most 250 ms.
   */
  async engine(): Promise<{ engine: string | null; hint?: string }> {
    const { mode } = this.#options;
    if (mode === 'off') return { engine: null, hint: 'hookrelay serve --ai auto' };
    if (mode === 'builtin') return { engine: 'builtin' };
    const state = await this.#status.state();
    if (state === 'ready') return { engine: this.#engine };
    return { engine: 'builtin', ...(mode === 'ollama' && { hint: this.#hint(state) }) };
  }

  explain(
    loadEvent: () => Promise<AiEvent>,
    caller: AiCaller,
  ): Promise<Made & { explanation: string }> {
    return this.#operate(caller, async () => {
      const event = await loadEvent();
      const { explainEvent } = await import('./explain/explain-event.ts');
      const explanation = explainEvent(event);
      const question = () => explainQuestion(event, explanation, nonce);
      const asked = await this.#ask(question, explainAnswer, foreignInExplanation, caller);
      const { answer } = asked;
      return answer
        ? { explanation: withExplanation(explanation, answer, this.#engine), engine: this.#engine }
        : { explanation, ...builtin(asked) };
    });
  }

  /** @param learned reads the schema of the event's type; null if none is learned */
  schema(
    loadEvent: () => Promise<AiEvent>,
    caller: AiCaller,
    learned?: (event: AiEvent) => Promise<string | null>,
  ): Promise<Made & { schema: string }> {
    return this.#operate(caller, async () => {
      const event = await loadEvent();
      const schema =
        (await learned?.(event)) ??
        (await this.#inTurn(caller, (making) => generateSchema(event, making)));
      return { schema, engine: 'builtin' };
    });
  }

  /** @param learned reads the shape of the event's type (`storedShape`); null if none is learned */
  handler(
    loadEvent: () => Promise<AiEvent>,
    target: { language: string; framework: string },
    caller: AiCaller,
    learned?: (event: AiEvent) => Promise<Uint8Array | null>,
  ): Promise<Made & GeneratedHandler> {
    return this.#operate(caller, async () => {
      const event = await loadEvent();
      const { generateHandler } = await import('./handler/generate-handler.ts');
      const { explainEvent } = await import('./explain/explain-event.ts');
      const shape = (await learned?.(event)) ?? null;
      const handler = await this.#inTurn(caller, (making) =>
        generateHandler(event, target, { ...making, learned: shape }),
      );
      const question = () => handlerQuestion(event, explainEvent(event), target, nonce);
      const asked = await this.#ask(question, handlerAnswer, foreignInHandler, caller);
      const { answer } = asked;
      return answer
        ? {
            ...handler,
            code: withPlan(handler.code, target.language, answer, this.#engine),
            engine: this.#engine,
          }
        : { ...handler, ...builtin(asked) };
    });
  }

  diagnose(loadCase: () => Promise<Case>, caller: AiCaller): Promise<Made & Diagnosis> {
    return this.#operate(caller, async () => {
      const subject = await loadCase();
      const { diagnoseEvent } = await import('./diagnose/diagnose-event.ts');
      const found = diagnoseEvent(subject);
      // If there was no attempt, the rules say it all, so no model is asked.
      const question = () => diagnoseQuestion(subject, found, nonce);
      const asked =
        subject.attempts.length > 0
          ? await this.#ask(question, diagnoseAnswer, foreignInDiagnosis, caller)
          : { answer: null };
      const { answer } = asked;
      return answer
        ? { ...withDiagnosis(found, answer, this.#engine), engine: this.#engine }
        : { ...found, ...builtin(asked) };
    });
  }

  /** Ends the thread that makes types. */
  close(): Promise<void> {
    return this.#types.close();
  }

  get #engine(): string {
    return `ollama/${this.#client.model}`;
  }

  /** Makes types in their thread when it is the account's turn. */
  #inTurn<T>(
    { account, signal }: AiCaller,
    make: (making: { types: TypeGenerator; terms: JobTerms }) => Promise<T>,
  ): Promise<T> {
    const making = { types: this.#types, terms: { account, signal } };
    return this.#turns.run(account, () => make(making), signal);
  }

  #operate<T>(caller: AiCaller, work: () => Promise<T>): Promise<T> {
    if (this.#options.mode === 'off') {
      throw new HookrelayError('ai_unavailable', 'AI operations are switched off on this server', {
        hint: 'hookrelay serve --ai auto',
      });
    }
    return this.#operations.run(caller.account, OPERATION_RETRY_S, work);
  }

  async #ask<S extends v.GenericSchema>(
    question: () => Question,
    shape: S,
    foreignIn: (answer: v.InferOutput<S>, ground: Ground) => Foreign | null,
    caller: AiCaller,
  ): Promise<Asked<v.InferOutput<S>>> {
    const { mode, log } = this.#options;
    if (mode === 'builtin') return { answer: null };
    if (mode === 'auto') {
      if ((await this.#status.state()) !== 'ready' || this.#models.isFull(caller.account)) {
        return { answer: null };
      }
    }
    try {
      const asked = question();
      const answer = await this.#models.run(caller.account, MODEL_RETRY_S, () =>
        this.#client.ask(asked, shape, caller.signal),
      );
      this.#status.note('ready');
      const foreign = foreignIn(answer, asked.ground);
      // The error doesn't contain the model's words, because they may quote a payload, and errors
      // are logged.
      if (foreign) throw new OllamaError('ungrounded', WHY_UNGROUNDED[foreign]);
      return { answer };
    } catch (error) {
      if (!(error instanceof OllamaError)) throw error;
      this.#remember(error.failure);
      log.warn('Ollama failed; the builtin engine answers alone', {
        failure: error.failure,
        reason: error.message,
      });
      if (mode === 'auto') return { answer: null };
      const { failure } = error;
      return {
        answer: null,
        note: `${WHY[failure]}, so the facts stand alone (${this.#hint(failure)})`,
      };
    }
  }

  #remember(failure: OllamaFailure): void {
    if (failure === 'unreachable' || failure === 'model_missing') this.#status.note(failure);
    else if (failure === 'timeout') this.#status.note('unreachable', TIMEOUT_HOLD_MS);
  }

  /**
   * Returns a command for the operator. The hint doesn't reveal Ollama's address, because accounts
   * see it too.
   */
  #hint(failure: OllamaFailure): string {
    switch (failure) {
      case 'model_missing':
        return `ollama pull ${this.#client.model}`;
      case 'unreachable':
        return 'ollama serve; or hookrelay serve --ai auto';
      case 'busy':
        return `try again in ${MODEL_RETRY_S} s`;
      default:
        return 'hookrelay serve --ollama-model with another model, or --ai auto';
    }
  }
}

const WHY: Record<OllamaFailure, string> = {
  unreachable: 'Ollama does not answer',
  model_missing: 'Ollama does not have the model',
  busy: 'Ollama is busy',
  timeout: 'Ollama did not answer in time',
  malformed: "the model's answer made no sense",
  ungrounded: "the model's answer holds something that the facts lack, or advice that is unsafe",
  failed: 'Ollama failed',
};

const WHY_UNGROUNDED: Record<Foreign, string> = {
  fence: 'the model repeats its instructions',
  advice: 'the model advises to weaken a protection or to give a secret away',
  markup: 'the model uses markup',
  command: 'the model names a command that the facts lack',
  address: 'the model names an address that the facts lack',
  amount: 'the model names an amount that the facts lack',
  date: 'the model names a date that the facts lack',
  number: 'the model names a number that the facts lack',
};

function builtin({ note }: Asked<unknown>): Made {
  return { engine: 'builtin', ...(note !== undefined && { note }) };
}

function nonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}
