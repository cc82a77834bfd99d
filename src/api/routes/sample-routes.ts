import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { ComposedRequest } from '../../capture/capture-composed.ts';
import type { Clock } from '../../core/runtime.ts';
import { SAMPLES } from '../../providers/samples.ts';
import { composeSample } from '../../providers/sampling/compose-sample.ts';
import type { Sample } from '../../providers/sampling/sample.ts';
import { type Route, route } from '../route.ts';

const NAMES = SAMPLES.map(({ name }) => name);

const sampleSchema = v.object({
  name: v.string(),
  provider: v.string(),
  description: v.string(),
  signature_header: v.pipe(v.string(), v.description('The header that a receiver verifies.')),
  test_secret: v.pipe(v.string(), v.description('The key that signs test events. It is public.')),
  source: v.pipe(v.string(), v.description('The provider’s documentation.')),
});

const testEventSchema = v.object({
  sample: v.picklist(NAMES, 'must be the name of a sample; GET /api/samples lists them'),
});

export interface SampleRoutesOptions {
  clock: Clock;
  /** Origin of capture URLs. */
  baseUrl(): string;
  /** Captures a request like any other. Returns the event's id. */
  capture(request: ComposedRequest): Promise<string>;
}

/** Routes of sample events of well-known providers, which test an endpoint. */
export function sampleRoutes({ clock, baseUrl, capture }: SampleRoutesOptions): Route[] {
  const tag = 'samples';
  return [
    route({
      method: 'GET',
      path: '/api/samples',
      summary: 'List sample events of well-known providers, which can be sent as test events',
      tag,
      access: 'account-part',
      scope: 'read',
      status: 200,
      response: v.array(sampleSchema),
      handle: () => SAMPLES.map(sampleView),
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/test-events',
      summary:
        'Send a sample as a test event: it is signed like the provider’s, captured and delivered',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'event.test',
      body: testEventSchema,
      status: 201,
      response: v.object({ event_id: v.string(), sample: v.string() }),
      async handle({ endpoint, body, address, record }) {
        const url = `${baseUrl()}/in/${endpoint.publicToken}`;
        const sample = SAMPLES.find(({ name }) => name === body.sample) as Sample;
        const request = composeSample(sample, {
          url,
          secret: null,
          overrides: [],
          add: false,
          nowMs: clock.now(),
          randomBytes,
        });
        const eventId = await capture({
          publicToken: endpoint.publicToken,
          method: request.method,
          headers: request.headers,
          host: new URL(url).host,
          body: request.body,
          sourceIp: address,
        });
        record({ target: { type: 'event', id: eventId, name: sample.name } });
        return { event_id: eventId, sample: sample.name };
      },
    }),
  ];
}

function sampleView({ name, provider, description, source, signature }: Sample) {
  return {
    name,
    provider,
    description,
    signature_header: signature.header,
    test_secret: signature.signer.testSecret,
    source,
  };
}
