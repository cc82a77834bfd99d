import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/** https://developer.pagerduty.com/docs/verifying-webhook-signatures */
export const pagerduty = {
  name: 'pagerduty',
  title: 'PagerDuty',
  shapes: [(o) => (o('event', 'resource_type') ? o('event', 'event_type') : undefined)],
  typePaths: [['event', 'event_type']],
  once: { by: [['body.event.id']] },
  ...ownSignatureIn('X-PagerDuty-Signature', "the webhook subscription's secret", {
    form: { separator: ',', field: 'v1' },
  }),
} satisfies Provider;
