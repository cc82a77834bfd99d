import type { Fresh } from '../sampling/fresh.ts';

/** The version of the objects in the events (https://docs.stripe.com/api). */
export const API_VERSION = '2026-08-26.dahlia';

export const CURRENCY = 'eur';
const MONTH_S = 30 * 86_400;

export const ADDRESS = {
  city: 'Berlin',
  country: 'DE',
  line1: 'Beispielstraße 12',
  line2: null,
  postal_code: '10115',
  state: null,
};

export const CUSTOMER_NAME = 'Ada Example';
export const CUSTOMER_EMAIL = 'ada@example.com';

/** The ids by which the objects of one purchase refer to each other. */
export interface PurchaseIds {
  customer: string;
  paymentIntent: string;
  charge: string;
  paymentMethod: string;
  invoice: string;
  subscription: string;
  subscriptionItem: string;
  price: string;
  product: string;
}

export function purchaseIds(fresh: Fresh): PurchaseIds {
  const id = (prefix: string) => `${prefix}_1${fresh.base62(23)}`;
  return {
    customer: `cus_${fresh.base62(14)}`,
    paymentIntent: id('pi'),
    charge: id('ch'),
    paymentMethod: id('pm'),
    invoice: id('in'),
    subscription: id('sub'),
    subscriptionItem: `si_${fresh.base62(14)}`,
    price: id('price'),
    product: `prod_${fresh.base62(14)}`,
  };
}

export function paymentIntent(fresh: Fresh, ids: PurchaseIds, amount: number) {
  return {
    id: ids.paymentIntent,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: amount,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${ids.paymentIntent}_secret_${fresh.base62(25)}`,
    confirmation_method: 'automatic',
    created: fresh.seconds(-8),
    currency: CURRENCY,
    customer: ids.customer,
    customer_account: null,
    description: 'Order 1001',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: ids.charge,
    livemode: false,
    managed_payments: null,
    metadata: { order_id: '1001' },
    next_action: null,
    on_behalf_of: null,
    payment_method: ids.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: CUSTOMER_EMAIL,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}

export function charge(fresh: Fresh, ids: PurchaseIds, amount: number) {
  return {
    id: ids.charge,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: `txn_1${fresh.base62(23)}`,
    billing_details: {
      address: ADDRESS,
      email: CUSTOMER_EMAIL,
      name: CUSTOMER_NAME,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'EXAMPLE SHOP',
    captured: true,
    created: fresh.seconds(-86_400),
    currency: CURRENCY,
    customer: ids.customer,
    description: 'Order 1001',
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { order_id: '1001' },
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 17,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: ids.paymentIntent,
    payment_method: ids.paymentMethod,
    payment_method_details: {
      card: {
        amount_authorized: amount,
        authorization_code: fresh.digits(6),
        brand: 'visa',
        checks: {
          address_line1_check: 'pass',
          address_postal_code_check: 'pass',
          cvc_check: 'pass',
        },
        country: 'DE',
        exp_month: 8,
        exp_year: 2031,
        fingerprint: fresh.base62(16),
        funding: 'credit',
        installments: null,
        last4: '4242',
        mandate: null,
        network: 'visa',
        network_transaction_id: fresh.digits(15),
        three_d_secure: null,
        wallet: null,
      },
      type: 'card',
    },
    radar_options: {},
    receipt_email: CUSTOMER_EMAIL,
    receipt_number: null,
    receipt_url: `https://pay.stripe.com/receipts/payment/${fresh.base62(40)}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}

export function subscription(fresh: Fresh, ids: PurchaseIds, unitAmount: number) {
  const start = fresh.seconds(-MONTH_S);
  return {
    id: ids.subscription,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: start,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: start,
    currency: CURRENCY,
    customer: ids.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: ids.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
    items: {
      object: 'list',
      data: [
        {
          id: ids.subscriptionItem,
          object: 'subscription_item',
          billing_thresholds: null,
          created: start,
          current_period_end: fresh.seconds(MONTH_S),
          current_period_start: fresh.seconds(),
          discounts: [],
          metadata: {},
          price: {
            id: ids.price,
            object: 'price',
            active: true,
            billing_scheme: 'per_unit',
            created: start - MONTH_S,
            currency: CURRENCY,
            custom_unit_amount: null,
            livemode: false,
            lookup_key: 'team_monthly',
            metadata: {},
            nickname: null,
            product: ids.product,
            recurring: {
              interval: 'month',
              interval_count: 1,
              meter: null,
              trial_period_days: null,
              usage_type: 'licensed',
            },
            tax_behavior: 'unspecified',
            tiers_mode: null,
            transform_quantity: null,
            type: 'recurring',
            unit_amount: unitAmount,
            unit_amount_decimal: String(unitAmount),
          },
          quantity: 1,
          subscription: ids.subscription,
          tax_rates: [],
        },
      ],
      has_more: false,
      total_count: 1,
      url: `/v1/subscription_items?subscription=${ids.subscription}`,
    },
    latest_invoice: ids.invoice,
    livemode: false,
    managed_payments: null,
    metadata: { team: 'example' },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: start,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
    trial_start: null,
  };
}
