import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

/**
 * The signature doesn't cover the time in `Sentry-Hook-Timestamp`, in Unix seconds:
 * https://github.com/getsentry/sentry/blob/master/src/sentry/sentry_apps/api/serializers/app_platform_event.py
 *
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/#verifying-the-signature
 */
export const sentry = {
  name: 'sentry',
  title: 'Sentry',
  marks: [{ header: 'sentry-hook-resource', isType: true, rank: 3 }],
  shapes: [(o) => (o('installation', 'uuid') && o('data') ? (o('action') ?? null) : undefined)],
  once: { by: [['header.request-id']] },
  ...signatureIn('Sentry-Hook-Signature', "the integration's client secret", {
    unsignedTime: 'Sentry-Hook-Timestamp',
  }),
} satisfies Provider;
