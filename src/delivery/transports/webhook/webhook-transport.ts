import type { AttemptError } from '../../../core/model.ts';
import { notSent } from '../not-sent.ts';
import type {
  DestinationSettings,
  Outcome,
  Transport,
  TransportDelivery,
  TransportOptions,
} from '../transport.ts';
import { createDeliveryAgent, type DeliveryAgent } from './agent.ts';
import { type AttemptRequest, makeAttempt } from './attempt.ts';
import { deliveryRequest } from './delivery-request.ts';
import { checkDestinationUrl } from './destination-url.ts';
import { StaleRetries } from './stale-retries.ts';
import { verdictOf } from './verdict.ts';

/** Delivers captured requests over HTTP: the original method, headers and bytes, signed. */
export class WebhookTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #agent: DeliveryAgent;
  readonly #staleRetries = new StaleRetries();

  constructor(options: TransportOptions) {
    const { allowPrivate, timeoutMs, names } = options;
    this.#options = options;
    this.#agent = createDeliveryAgent({
      allowPrivate,
      connectTimeoutMs: timeoutMs,
      lookup: names.lookup,
    });
  }

  async validate({ url }: DestinationSettings): Promise<DestinationSettings> {
    const { allowPrivate, names } = this.#options;
    const checked = await checkDestinationUrl(url, {
      allowPrivate,
      resolve: (hostname) => names.resolve(hostname),
    });
    return { url: checked.href };
  }

  async attempt(delivery: TransportDelivery): Promise<Outcome | null> {
    const request = this.#requestOf(delivery);
    if ('code' in request) return notSent(request, 'fatal');
    const { clock, timeoutMs, signal } = this.#options;
    const made = await makeAttempt(
      { ...request, isAlone: this.#staleRetries.take(delivery.id) },
      { agent: this.#agent, clock, timeoutMs, signal },
    );
    if (!made) return null;
    if (made.wasStale) this.#staleRetries.add(delivery.id);
    return { ...made, ...verdictOf(made) };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /**
   * The request, or the error that keeps it from ever being sent. With a secret
   * that can't be opened, nothing is sent unsigned.
   */
  #requestOf(delivery: TransportDelivery): AttemptRequest | AttemptError {
    const { sealedSecret, url, id: destinationId } = delivery.destination;
    const secret = sealedSecret && this.#options.openSecret(sealedSecret, destinationId);
    if (sealedSecret && secret === null) {
      return {
        code: 'secret_unreadable',
        message:
          "The signing secret cannot be opened with this server's key. Set the destination's secret again.",
      };
    }
    const { id: deliveryId, request, eventId, trigger, attempt, attemptedAt } = delivery;
    return deliveryRequest({
      request,
      eventId,
      deliveryId,
      trigger,
      attempt,
      attemptedAt,
      url,
      secret,
    });
  }
}
