import { accepted } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';

const PING = /^webhook_id=\d{1,20}$/;

/**
 * A POST of a form with only the webhook's id, unsigned. It comes when the webhook is saved, and
 * expects 200 (`WC_Webhook::deliver_ping`).
 *
 * https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php
 */
export const wooCommerceHandshake: Handshake = {
  method: 'POST',
  matches: ({ body }) => body.length <= 64 && PING.test(body.toString('latin1')),
  answer: () => accepted(),
  purpose: 'WooCommerce checks that this URL answers, because the webhook was saved.',
};
