import dns from 'node:dns';
import { UNTRIED } from '../../src/core/flow/slot-class.ts';
import type { Destination } from '../../src/core/model.ts';
import { NOT_CHECKED } from '../../src/core/proof/verification.ts';
import { systemClock } from '../../src/core/runtime/runtime.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../src/core/settings/destination-settings.ts';
import {
  attemptDelivery,
  type DeliveryContext,
} from '../../src/delivery/attempt/attempt-delivery.ts';
import type { TransportOptions } from '../../src/delivery/transports/transport.ts';
import { WebhookTransport } from '../../src/delivery/transports/webhook/webhook-transport.ts';
import type { ClaimedDelivery } from '../../src/store/contract/claims.ts';
import type { Outgoing, OutgoingRequest } from '../../src/store/contract/queue.ts';
import { silentLog } from '../fixtures/silent-log.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The server's policy. */
export const POLICY = { attempts: 3, baseMs: 1000, factor: 5, maxMs: 60_000 };

export const REQUEST: OutgoingRequest = {
  method: 'POST',
  path: '/sub/path',
  query: 'a=b',
  rawHeaders: ['Content-Type', 'application/json', 'Host', 'hooks.example.com'],
  body: Buffer.from('{"a":1}'),
  verification: NOT_CHECKED,
};

/** A claim, and its destination as `begin` returns it. */
export interface Begun extends Partial<Pick<Outgoing, 'signer'>> {
  claim: ClaimedDelivery;
  destination: Destination;
}

/**
 * A delivery to a URL.
 *
 * @param overrides of the claim
 * @param settings of the destination
 */
export function deliveryTo(
  url: string,
  overrides: Partial<ClaimedDelivery> = {},
  settings: Partial<Destination['settings']> = {},
): Begun {
  return {
    claim: {
      id: 'dlv_1',
      token: 1,
      eventSeq: 1,
      eventId: 'evt_1',
      endpointKey: 1,
      round: 1,
      trigger: 'capture',
      attempts: 0,
      probes: 0,
      probe: null,
      start: null,
      byHand: false,
      size: 7,
      orderKey: null,
      jobKey: null,
      destination: {
        key: 1,
        id: 'dst_1',
        slotClass: UNTRIED,
        concurrency: 'auto',
        slots: null,
        isControlled: false,
      },
      ...overrides,
    },
    destination: {
      key: 1,
      id: 'dst_1',
      url,
      sealedUrl: null,
      sealedSecret: null,
      previousSecret: null,
      sealedHeaders: null,
      settings: { ...DEFAULT_DESTINATION_SETTINGS, ...settings },
      version: 1,
      ruleVersion: 3,
      createdAt: 0,
    },
  };
}

export const sealed = ({ claim, destination }: Begun): Begun => ({
  claim,
  destination: { ...destination, sealedSecret: Buffer.from('sealed') },
});

/** Makes one attempt. The jitter is in the middle, so delays are exact. */
export async function attempt(
  { claim, destination, signer = null }: Begun,
  request: Partial<OutgoingRequest> | 'damaged' = {},
  given: Partial<DeliveryContext & TransportOptions> = {},
) {
  const transport = new WebhookTransport({
    allowPrivate: true,
    timeoutMs: 1000,
    smtp: null,
    names: { lookup: dns.lookup, resolve: (name) => dns.promises.lookup(name, { all: true }) },
    clock: systemClock,
    signal: new AbortController().signal,
    openSecret: (bytes, id) =>
      Buffer.from(bytes).toString() === 'sealed' && id === 'dst_1' ? SECRET : null,
    ...given,
  });
  try {
    return await attemptDelivery(
      claim,
      {
        destination,
        request: request === 'damaged' ? request : { ...REQUEST, ...request },
        signer,
      },
      {
        transport,
        clock: systemClock,
        log: silentLog,
        policy: POLICY,
        random: () => 0.5,
        ...given,
      },
    );
  } finally {
    await transport.close();
  }
}
