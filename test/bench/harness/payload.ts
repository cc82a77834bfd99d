/** Values that differ between bodies, in plain ASCII or escaped for JSON. */
export interface PayloadValues {
  uuid: string;
  email: string;
  customer: string;
  name: string;
  type: string;
  status: string;
  amount: string;
  /** Fills the body up to about 1 KB. */
  description: string;
}

/** A body of about 1 KB, of the kind that payment providers send. */
export function payload(values: PayloadValues): string {
  return (
    `{"id":"${values.uuid}","object":"event","api_version":"2026-04-22","created":1795244400,` +
    `"livemode":true,"pending_webhooks":1,"type":"${values.type}","data":{"object":{` +
    `"object":"invoice","customer":"${values.customer}","customer_email":"${values.email}",` +
    `"customer_name":"${values.name}","currency":"eur","amount_due":${values.amount},` +
    `"amount_paid":${values.amount},"attempt_count":1,"billing_reason":"subscription_cycle",` +
    `"collection_method":"charge_automatically","status":"${values.status}",` +
    `"lines":{"object":"list","total_count":1,"has_more":false},` +
    `"description":"${values.description}"}},` +
    `"request":{"id":null,"idempotency_key":null}}`
  );
}

export const PAYLOAD_HEADERS: readonly (readonly [string, string])[] = [
  ['User-Agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
  ['Accept', '*/*; q=0.5, application/xml'],
  ['Content-Type', 'application/json; charset=utf-8'],
];

const LOREM =
  'Monthly subscription for the team plan with twelve seats, support included, billed in advance. ';

/** The body that load generators send; only the id and the e-mail address differ. */
export function loadPayload(uuid: string, email: string): string {
  return payload({
    uuid,
    email,
    customer: 'cus_Qm3x8ZrT5kLw2v',
    name: 'Olivia Martin',
    type: 'invoice.payment_succeeded',
    status: 'paid',
    amount: '420000',
    description: LOREM.repeat(4).trim(),
  });
}
