import dns from 'node:dns';
import type { EventHead, EventSummary } from '../../../api/api-types.ts';
import { HookrelayError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import { systemClock } from '../../../core/runtime.ts';
import {
  createDeliveryAgent,
  type DeliveryAgent,
} from '../../../delivery/transports/webhook/agent.ts';
import { type AttemptOutcome, makeAttempt } from '../../../delivery/transports/webhook/attempt.ts';
import { eventBody, eventHead, patiently } from '../../stream/captured-event.ts';
import type { StreamedGet } from '../../stream/streamed-get.ts';
import type { Forward, ForwardOutcome } from './forward.ts';
import { forwardRequest } from './forward-request.ts';
import { Gate } from './gate.ts';
import type { Routed } from './route-rule.ts';

/** Requests under way at once, and the bodies held for them. */
const LIMITS = { slots: 8, bytes: 64 * 1024 * 1024 };
/** Events that wait for their turn; past it no more are taken from the stream. */
const MAX_WAITING = 1000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface ForwarderOptions {
  get: StreamedGet;
  /** Where an event goes; null for nowhere. */
  route(event: Routed): string | null;
  /** By id; null for one that isn't known. */
  endpointName(endpointId: string): string | null;
  /** Signs every request; null for no signature. */
  secret: string | null;
  /** For one request and its response, ms. */
  timeoutMs: number;
  signal: AbortSignal;
  onSent(forward: Forward, target: string): void;
  onDone(forward: Forward, outcome: ForwardOutcome): void;
  /** What waiting can't mend, such as the end of the session. */
  onFatal(error: unknown): void;
}

/**
 * Sends events to local targets. What happens here is nobody's business but
 * this terminal's: the server's deliveries of the same events, and their
 * statuses, stay what they are.
 *
 * A forward goes: waiting (for a slot) → loading (its headers and body, from
 * the server, for as long as that takes) → sent → done. Many load and are sent
 * at a time, but they are sent in the order in which they were added. Each is
 * tried once: whether a failed one is sent again is for a person to say.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #gate = new Gate(LIMITS);
  readonly #agent: DeliveryAgent;
  #count = 0;
  /** Resolves when the one added last has been sent, or never will be. */
  #lastSent: Promise<unknown> = Promise.resolve();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    // The target is the choice of whoever typed the command, on their own machine.
    this.#agent = createDeliveryAgent({
      allowPrivate: true,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      lookup: dns.lookup,
    });
  }

  /**
   * Takes an event on. `accepted` resolves when there is room for more.
   */
  add(event: EventSummary, trigger: Trigger): { forward: Forward; accepted: Promise<unknown> } {
    const forward = { key: ++this.#count, event, trigger };
    const turn = this.#lastSent;
    const sent = Promise.withResolvers<void>();
    this.#lastSent = sent.promise;
    const entered = this.#gate.enter(event.size);
    void entered.then(async (release) => {
      await this.#run(forward, turn, sent.resolve);
      sent.resolve();
      release();
    });
    return { forward, accepted: this.#gate.waiting < MAX_WAITING ? Promise.resolve() : entered };
  }

  /** Gives up what is under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Never throws. */
  async #run(forward: Forward, turn: Promise<unknown>, onSent: () => void): Promise<void> {
    const { signal, onDone, onFatal } = this.#options;
    if (signal.aborted) return;
    let outcome: ForwardOutcome | null;
    try {
      const loaded = await this.#load(forward.event);
      await turn;
      outcome = await this.#send(forward, loaded, onSent);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof HookrelayError) || error.code !== 'event_not_found') {
        onFatal(error);
        return;
      }
      outcome = failed(null, { code: 'event_not_found', message: 'The event has been deleted.' });
    }
    if (outcome) onDone(forward, outcome);
  }

  #load(event: EventSummary): Promise<Routed & { head: EventHead }> {
    const { get, signal, endpointName } = this.#options;
    return patiently(async () => {
      const head = await eventHead(get, event.id, signal);
      const body = event.size === 0 ? Buffer.alloc(0) : await eventBody(get, event, signal);
      return { head, body, endpointName: endpointName(event.endpoint_id) };
    }, signal);
  }

  /** Null when the program ended it. */
  async #send(
    forward: Forward,
    loaded: Routed & { head: EventHead },
    onSent: () => void,
  ): Promise<ForwardOutcome | null> {
    const { route, secret, timeoutMs, signal } = this.#options;
    const target = route(loaded);
    if (target === null) return failed(null, null);
    const { trigger } = forward;
    const now = systemClock.now();
    const deliveryId = newId('dlv', now);
    const request = forwardRequest({ ...loaded, target, secret, deliveryId, trigger, now });
    if ('code' in request) return failed(target, request);
    const attempt = makeAttempt(request, {
      agent: this.#agent,
      clock: systemClock,
      timeoutMs,
      signal,
    });
    onSent();
    this.#options.onSent(forward, target);
    const outcome = await attempt;
    return outcome && outcomeOf(target, outcome);
  }
}

function outcomeOf(target: string, outcome: AttemptOutcome): ForwardOutcome {
  const { responseCode, responseBody, durationMs, error } = outcome;
  return { target, responseCode, responseBody, durationMs, error };
}

function failed(target: string | null, error: ForwardOutcome['error'] | AttemptError) {
  return { target, responseCode: null, responseBody: null, durationMs: 0, error };
}
