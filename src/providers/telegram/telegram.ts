import { tokenProof } from '../own-sources/token.ts';
import type { Provider } from '../provider.ts';

const SECRET_TOKEN = /^[\w-]{1,256}$/;

/**
 * A header repeats the secret token of the webhook.
 *
 * https://core.telegram.org/bots/api#setwebhook
 */
export const telegram = {
  name: 'telegram',
  title: 'Telegram',
  marks: [{ header: 'x-telegram-bot-api-secret-token', rank: 3 }],
  shapes: [(o) => (typeof o('update_id') === 'number' ? null : undefined)],
  proof: {
    ...tokenProof('header.x-telegram-bot-api-secret-token'),
    secret: "the webhook's secret token",
    problem: (secret) =>
      SECRET_TOKEN.test(secret) ? null : 'must be 1 to 256 letters, digits, "_" and "-"',
  },
  once: { by: [['body.update_id']] },
} satisfies Provider;
