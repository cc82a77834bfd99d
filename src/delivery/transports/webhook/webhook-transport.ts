import type { AttemptError } from '../../../core/model.ts';
import { verificationText } from '../../../core/proof/verification-header.ts';
import { isMaskedUrl } from '../../../core/secrets/masked-url.ts';
import { resign } from '../../../providers/resign.ts';
import { notSent } from '../not-sent.ts';
import type {
  AttemptOutcome,
  SentTo,
  Transport,
  TransportDelivery,
  TransportOptions,
} from '../transport.ts';
import { createDeliveryAgent, type DeliveryAgent } from './agent.ts';
import { type AttemptRequest, makeAttempt } from './attempt.ts';
import { type DeliveryRequestInput, deliveryRequest } from './delivery-request.ts';
import { type DestinationHeaders, readDestinationHeaders } from './destination-headers.ts';
import { checkDestinationUrl } from './destination-url.ts';
import { headerSecrets, maskedEcho } from './masked-echo.ts';
import { responseVerdict } from './response-verdict.ts';
import { sentHeaders } from './sent-headers.ts';
import { StaleRetries } from './stale-retries.ts';

/** Delivers captured requests over HTTP, with the original method, headers and body, and signed. */
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

  async validate({ url }: SentTo): Promise<SentTo> {
    const { allowPrivate, names } = this.#options;
    const checked = await checkDestinationUrl(url, {
      allowPrivate,
      resolve: (hostname) => names.resolve(hostname),
    });
    return { url: checked.href };
  }

  async attempt(delivery: TransportDelivery): Promise<AttemptOutcome | null> {
    const { settings } = delivery.destination;
    const prepared = this.#prepare(delivery);
    if ('code' in prepared) return notSent(prepared, 'fatal');
    const { clock, signal } = this.#options;
    const timeoutMs = settings.timeout ?? this.#options.timeoutMs;
    const request = {
      ...prepared.request,
      isAlone: this.#staleRetries.take(delivery.id),
      connectTimeoutMs: timeoutMs,
    };
    const made = await makeAttempt(request, { agent: this.#agent, clock, timeoutMs, signal });
    if (!made) return null;
    if (made.wasStale) this.#staleRetries.add(delivery.id);
    const { secretHeaders } = prepared;
    const secrets = [
      ...(secretHeaders ? headerSecrets(secretHeaders) : []),
      ...(delivery.destination.sealedUrl ? [request.path] : []),
    ];
    return {
      ...maskedEcho(made, secrets),
      ...responseVerdict(made, settings.retry?.give_up_on),
      requestHeaders: made.wasSent ? sentHeaders(request, secretHeaders?.names ?? null) : null,
    };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /**
   * Returns the request, or an error if it can never be sent. An unreadable secret, URL or header
   * is such an error.
   */
  #prepare(delivery: TransportDelivery): PreparedRequest | AttemptError {
    const { destination, attemptedAt } = delivery;
    const secrets = this.#secrets(destination, attemptedAt);
    if (!secrets) return unreadable('signing secret', "the destination's secret");
    const url = this.#url(destination);
    if (url === null) return unreadable('URL', "the channel's URL");
    const headers = this.#headers(destination);
    if (headers === 'unreadable') return unreadable('headers', "the destination's headers");
    const request = deliveryRequest({
      request: delivery.request,
      eventId: delivery.eventId,
      deliveryId: delivery.id,
      trigger: delivery.trigger,
      attempt: delivery.attempt,
      attemptedAt,
      url,
      path: destination.settings.path,
      secrets,
      headers,
      verification: verificationText(delivery.request.verification),
      resign: this.#resign(delivery),
    });
    return 'code' in request ? request : { request, secretHeaders: headers };
  }

  /**
   * Returns a function that signs an attempt as the event's provider does. Returns null if the
   * destination doesn't ask for that.
   */
  #resign({ signer, request, attemptedAt, eventId }: TransportDelivery): Resign | null {
    if (!signer) return null;
    const { method, body, verification } = request;
    const { source, endpointId } = signer;
    return (target) =>
      resign(
        { ...target, method, body, now: attemptedAt, eventId },
        { verification, source, open: (sealed) => this.#options.openSecret(sealed, endpointId) },
      );
  }

  /**
   * Returns the secrets that sign an attempt, the newest first; empty if there is none. Returns
   * null if the present secret can't be opened. Omits a previous secret that can't be opened,
   * because its receivers would refuse the request anyway.
   */
  #secrets(
    { id, sealedSecret, previousSecret }: TransportDelivery['destination'],
    attemptedAt: number,
  ): string[] | null {
    const { openSecret } = this.#options;
    if (!sealedSecret) return [];
    const secret = openSecret(sealedSecret, id);
    if (secret === null) return null;
    const isOverlap = previousSecret !== null && attemptedAt < previousSecret.until;
    const previous = isOverlap ? openSecret(previousSecret.sealed, id) : null;
    return previous === null ? [secret] : [secret, previous];
  }

  /**
   * Returns null if the URL can't be opened. A node of an older version stores a changed URL
   * unsealed, so an unmasked URL is used as it is.
   */
  #url({ id, url, sealedUrl }: TransportDelivery['destination']): string | null {
    if (!sealedUrl || !isMaskedUrl(url)) return url;
    return this.#options.openSecret(sealedUrl, id);
  }

  #headers({
    id,
    sealedHeaders,
  }: TransportDelivery['destination']): DestinationHeaders | null | 'unreadable' {
    if (!sealedHeaders) return null;
    const text = this.#options.openSecret(sealedHeaders, id);
    return (text !== null && readDestinationHeaders(text)) || 'unreadable';
  }
}

type Resign = NonNullable<DeliveryRequestInput['resign']>;

/** A request, and the headers in it that have secret values. */
interface PreparedRequest {
  request: AttemptRequest;
  secretHeaders: DestinationHeaders | null;
}

function unreadable(what: string, whose: string): AttemptError {
  return {
    code: 'secret_unreadable',
    message: `The ${what} cannot be opened with this server's key. Set ${whose} again.`,
  };
}
