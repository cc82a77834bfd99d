import { NameResolver } from '../network/name-resolver.ts';
import { EmailTransport } from './email/email-transport.ts';
import type {
  AttemptOutcome,
  Transport,
  TransportDelivery,
  TransportOptions,
} from './transport.ts';
import { WebhookTransport } from './webhook/webhook-transport.ts';

const TRANSPORTS = {
  webhook: WebhookTransport,
  email: EmailTransport,
} satisfies Record<string, new (options: TransportOptions) => Transport>;

export type TransportName = keyof typeof TRANSPORTS;

/** The open transports of a server. They share one name resolver. */
export class Transports {
  readonly #names: NameResolver;
  readonly #open = new Map<TransportName, Transport>();

  constructor(options: Omit<TransportOptions, 'names'>) {
    this.#names = new NameResolver(options);
    for (const [name, OneTransport] of Object.entries(TRANSPORTS)) {
      const transport = new OneTransport({ ...options, names: this.#names });
      this.#open.set(name as TransportName, transport);
    }
  }

  get(name: TransportName): Transport {
    return this.#open.get(name) as Transport;
  }

  /** Makes an attempt with the transport for the destination's URL. */
  attempt(delivery: TransportDelivery): Promise<AttemptOutcome | null> {
    const isEmail = delivery.destination.url.startsWith('mailto:');
    return this.get(isEmail ? 'email' : 'webhook').attempt(delivery);
  }

  async close(): Promise<void> {
    try {
      await Promise.all([...this.#open.values()].map((transport) => transport.close()));
    } finally {
      this.#names.close();
    }
  }
}
