import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

/**
 * The signature doesn't cover the time in `Sentry-Hook-Timestamp`.
 *
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/#verifying-the-signature
 */
export const sentry = {
  name: 'sentry',
  title: 'Sentry',
  marks: [{ header: 'sentry-hook-resource', isType: true, rank: 3 }],
  shapes: [(o) => (o('installation', 'uuid') && o('data') ? (o('action') ?? null) : undefined)],
  once: { by: [['header.request-id']] },
  ...signatureIn('Sentry-Hook-Signature', "the integration's client secret"),
} satisfies Provider;
