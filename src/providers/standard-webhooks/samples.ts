import type { Sample, SampleContent } from '../sampling/sample.ts';
import { standardWebhooks } from './standard-webhooks.ts';

export const standardSamples: Sample[] = [
  {
    name: 'standard.user.created',
    provider: 'standard',
    signature: standardWebhooks.signature,
    description: 'an event of any service that follows Standard Webhooks',
    format: 'json',
    source:
      'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    build: (fresh): SampleContent => ({
      payload: {
        type: 'user.created',
        timestamp: new Date(fresh.nowMs).toISOString(),
        data: {
          id: `user_${fresh.base62(24)}`,
          email: 'ada@example.com',
          name: 'Ada Example',
          locale: 'de-DE',
          roles: ['member'],
          email_verified: false,
          created_at: fresh.iso(),
        },
      },
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', 'Example-Webhooks/1.0'],
      ],
      deliveryId: `msg_${fresh.base62(27)}`,
    }),
  },
];
