import type { Provider } from '../provider.ts';

/** Providers that hookrelay recognises but can't verify. */
export const UNSIGNED: readonly Provider[] = [
  {
    name: 'chargebee',
    title: 'Chargebee',
    shapes: [
      (o) => (o('event_type') && o('content') && o('webhook_status') ? o('event_type') : undefined),
    ],
  },
  {
    name: 'revenuecat',
    title: 'RevenueCat',
    shapes: [
      (o) => (o('api_version') && o('event', 'app_user_id') ? o('event', 'type') : undefined),
    ],
  },
  {
    name: 'plaid',
    title: 'Plaid',
    shapes: [(o) => (o('webhook_type') && o('webhook_code') ? o('webhook_code') : undefined)],
  },
  {
    name: 'dockerhub',
    title: 'Docker Hub',
    shapes: [(o) => (o('push_data') && o('repository', 'repo_name') ? 'push' : undefined)],
    namedTypes: ['push'],
  },
  // https://developers.brevo.com/docs/transactional-webhooks
  // https://developers.brevo.com/docs/marketing-webhooks
  {
    name: 'brevo',
    title: 'Brevo',
    shapes: [
      (o) =>
        (o('message-id') ?? o('camp_id')) !== undefined && o('ts_event') !== undefined
          ? o('event')
          : undefined,
    ],
  },
  // https://dev.mailjet.com/email/guides/webhooks/
  // Mailjet sends one event, or a list of events.
  {
    name: 'mailjet',
    title: 'Mailjet',
    shapes: [
      (o) => (o('MessageID') && o('mj_campaign_id') !== undefined ? o('event') : undefined),
      (o) =>
        o('0', 'MessageID') && o('0', 'mj_campaign_id') !== undefined ? o('0', 'event') : undefined,
    ],
  },
  // https://support.sparkpost.com/docs/tech-resources/webhook-authentication
  // https://developers.sparkpost.com/api/webhooks/
  {
    name: 'sparkpost',
    title: 'SparkPost',
    marks: [{ header: 'x-messagesystems-batch-id', rank: 3 }],
    shapes: [
      (o) => {
        const event = o('0', 'msys');
        if (typeof event !== 'object' || event === null) return undefined;
        // The only member is the class of the event: `message_event`, `track_event` and so on.
        const [kind = ''] = Object.keys(event);
        return o('0', 'msys', kind, 'type') ?? null;
      },
    ],
    once: { by: [['header.x-messagesystems-batch-id']] },
  },
  // https://learn.microsoft.com/azure/devops/service-hooks/events
  {
    name: 'azure-devops',
    title: 'Azure DevOps',
    shapes: [
      (o) =>
        o('subscriptionId') && o('publisherId') && o('notificationId') !== undefined
          ? o('eventType')
          : undefined,
    ],
  },
];
