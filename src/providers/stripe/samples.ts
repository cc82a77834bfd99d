import type { Fresh } from '../sampling/fresh.ts';
import type { Json, Sample, SampleContent } from '../sampling/sample.ts';
import { checkoutSession, invoice } from './sample-billing.ts';
import { API_VERSION, charge, paymentIntent, purchaseIds, subscription } from './sample-objects.ts';
import { stripe } from './stripe.ts';

/** The amount of an order, in the smallest unit of the currency. */
const ORDER_AMOUNT = 4990;
const PLAN_AMOUNT = 2900;

/** The object of an event, and the values that it had before. */
interface EventData {
  object: Json;
  previous_attributes?: Json;
}

export const stripeSamples: Sample[] = [
  sample('payment_intent.succeeded', 'a card payment went through', (fresh) => ({
    object: paymentIntent(fresh, purchaseIds(fresh), ORDER_AMOUNT),
  })),
  sample('checkout.session.completed', 'a customer paid at the checkout', (fresh) => ({
    object: checkoutSession(fresh, purchaseIds(fresh), ORDER_AMOUNT),
  })),
  sample('invoice.paid', "a subscription's monthly invoice was paid", (fresh) => ({
    object: invoice(fresh, purchaseIds(fresh), PLAN_AMOUNT),
  })),
  sample('charge.refunded', 'a charge was refunded in full', (fresh) => ({
    object: {
      ...charge(fresh, purchaseIds(fresh), ORDER_AMOUNT),
      amount_refunded: ORDER_AMOUNT,
      refunded: true,
    },
    previous_attributes: { amount_refunded: 0, receipt_url: null, refunded: false },
  })),
  sample('customer.subscription.updated', 'a subscription will end with its period', (fresh) => {
    const before = subscription(fresh, purchaseIds(fresh), PLAN_AMOUNT);
    const changed = {
      cancel_at: before.items.data[0]?.current_period_end ?? null,
      cancel_at_period_end: true,
      canceled_at: fresh.seconds(),
      cancellation_details: {
        comment: null,
        feedback: 'unused',
        reason: 'cancellation_requested',
      },
    };
    const previous = Object.keys(changed) as (keyof typeof changed)[];
    return {
      object: { ...before, ...changed },
      previous_attributes: Object.fromEntries(previous.map((name) => [name, before[name]])),
    };
  }),
];

/**
 * Makes a sample of an event. The headers come from a delivery that was received: Stripe documents
 * only `Stripe-Signature`.
 *
 * https://docs.stripe.com/api/events/object
 */
function sample(type: string, description: string, data: (fresh: Fresh) => EventData): Sample {
  return {
    name: `stripe.${type}`,
    provider: 'stripe',
    signature: stripe.signature,
    description,
    format: 'json-indented',
    source: `https://docs.stripe.com/api/events/types#event_types-${type}`,
    build: (fresh): SampleContent => {
      const id = `evt_1${fresh.base62(23)}`;
      return {
        payload: {
          id,
          object: 'event',
          api_version: API_VERSION,
          created: fresh.seconds(-1),
          data: { ...data(fresh) },
          livemode: false,
          pending_webhooks: 1,
          request: { id: `req_${fresh.base62(14)}`, idempotency_key: fresh.uuid() },
          type,
        },
        headers: [
          ['Accept', '*/*; q=0.5, application/xml'],
          ['Cache-Control', 'no-cache'],
          ['Content-Type', 'application/json; charset=utf-8'],
          ['User-Agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
        ],
        deliveryId: id,
      };
    },
  };
}
