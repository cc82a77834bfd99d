import dns from 'node:dns';
import type { EventHeadAnswer, EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { newId } from '../../../core/ids.ts';
import type { Trigger } from '../../../core/model.ts';
import { systemClock } from '../../../core/runtime/runtime.ts';
import {
  createDeliveryAgent,
  type DeliveryAgent,
} from '../../../delivery/transports/webhook/agent.ts';
import { type HttpOutcome, makeAttempt } from '../../../delivery/transports/webhook/attempt.ts';
import { hasCode } from '../../command-error.ts';
import { fetchEventBody, fetchEventHead, patiently } from '../../streams/fetch-event.ts';
import type { StreamedGet } from '../../streams/streamed-get.ts';
import type { Forward, ForwardOutcome } from './forward.ts';
import { ForwardGate } from './forward-gate.ts';
import { forwardRequest } from './forward-request.ts';
import type { Routed } from './forward-routes.ts';
import type { Resign } from './resign-by-server.ts';

/** Limits for open requests: their number, and the bytes of their bodies. */
const LIMITS = { slots: 8, bytes: 64 * 1024 * 1024 };
/** The largest number of events that wait for a slot. With more, the stream isn't read. */
const MAX_WAITING = 1000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface ForwarderOptions {
  get: StreamedGet;
  /** Returns null if the event has no target. */
  route(event: Routed): string | null;
  /** Returns null if the endpoint is unknown. */
  endpointName(endpointId: string): string | null;
  /** Signs every request; null to send no signature. */
  secret: string | null;
  /** Signs as each event's provider does; null to pass on the sender's own signature. */
  resign: Resign | null;
  timeoutMs: number;
  signal: AbortSignal;
  onSent(forward: Forward, target: string): void;
  onDone(forward: Forward, outcome: ForwardOutcome): void;
  /** Called with an error that no retry can fix, such as the end of the session. */
  onFatal(error: unknown): void;
}

/**
 * Sends events to local targets. Changes no deliveries on the server.
 *
 * A forward waits for a slot. Then it loads its headers and body from the server, without a
 * deadline. Forwards load and wait for responses concurrently, but their requests start in the
 * order of `add`. Each request is sent once, because a person decides about a replay.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #gate = new ForwardGate(LIMITS);
  readonly #agent: DeliveryAgent;
  #count = 0;
  /** Resolves when the newest forward has been sent, or has ended without being sent. */
  #lastSent: Promise<unknown> = Promise.resolve();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    // Allow private addresses, because the person who typed the target owns this machine.
    this.#agent = createDeliveryAgent({
      allowPrivate: true,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      lookup: dns.lookup,
    });
  }

  /** Queues an event. `accepted` resolves when the queue has room for another event. */
  add(
    event: EventSummaryAnswer,
    trigger: Trigger,
  ): { forward: Forward; accepted: Promise<unknown> } {
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
      if (!hasCode(error, 'event_not_found')) {
        onFatal(error);
        return;
      }
      outcome = failed(null, { code: 'event_not_found', message: 'The event has been deleted.' });
    }
    if (outcome) onDone(forward, outcome);
  }

  #load(event: EventSummaryAnswer): Promise<Routed & { head: EventHeadAnswer }> {
    const { get, signal, endpointName } = this.#options;
    return patiently(async () => {
      const head = await fetchEventHead(get, event.id, signal);
      const body = event.size === 0 ? Buffer.alloc(0) : await fetchEventBody(get, event, signal);
      return { head, body, endpointName: endpointName(event.endpoint_id) };
    }, signal);
  }

  /** Returns null if the end of the program aborts the request. */
  async #send(
    forward: Forward,
    loaded: Routed & { head: EventHeadAnswer },
    onSent: () => void,
  ): Promise<ForwardOutcome | null> {
    const { route, secret, resign, timeoutMs, signal } = this.#options;
    const target = route(loaded);
    if (target === null) return failed(null, null);
    const { trigger } = forward;
    const now = systemClock.now();
    const deliveryId = newId('dlv', now);
    const input = { ...loaded, target, secret, resign, deliveryId, trigger, now };
    const request = await forwardRequest(input);
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

function outcomeOf(target: string, outcome: HttpOutcome): ForwardOutcome {
  const { responseCode, responseHeaders, responseBody, responseTruncated } = outcome;
  const { durationMs, error } = outcome;
  return {
    ...{ target, responseCode, responseHeaders, responseBody, responseTruncated },
    ...{ durationMs, error },
  };
}

function failed(target: string | null, error: ForwardOutcome['error']): ForwardOutcome {
  const response = {
    responseCode: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
  };
  return { target, ...response, durationMs: 0, error };
}
