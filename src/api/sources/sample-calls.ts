import * as v from 'valibot';
import { SAMPLES } from '../../providers/samples.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';

const NAMES = SAMPLES.map(({ name }) => name);

export const sampleSchema = v.object({
  name: v.string(),
  provider: v.string(),
  description: v.string(),
  signature_header: about(v.string(), 'The header that a receiver verifies.'),
  test_secret: about(v.string(), 'The key that signs test events. It is public.'),
  source: about(v.string(), 'The provider’s documentation.'),
});

const testEventSchema = v.object({
  sample: v.picklist(NAMES, 'must be the name of a sample; GET /api/samples lists them'),
});

export const SAMPLE_CALLS = {
  'GET /api/samples': {
    summary: 'List sample events of well-known providers, which can be sent as test events',
    tag: 'samples',
    access: 'account-part',
    scope: 'read',
    response: v.array(sampleSchema),
  },
  'POST /api/endpoints/{id}/test-events': {
    summary:
      'Send a sample as a test event: it is signed like the provider’s, captured and delivered',
    tag: 'samples',
    access: 'endpoint',
    scope: 'write',
    audit: 'event.test',
    body: testEventSchema,
    status: 201,
    response: v.object({ event_id: v.string(), sample: v.string() }),
  },
} as const satisfies Calls;
