import { randomBytes } from 'node:crypto';
import type { ComposedRequest } from '../../capture/capture-composed.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import { SAMPLES } from '../../providers/samples.ts';
import { composeSample } from '../../providers/sampling/compose-sample.ts';
import type { Sample } from '../../providers/sampling/sample.ts';
import { type Route, routesOf } from '../route.ts';
import { SAMPLE_CALLS } from './sample-calls.ts';

export interface SampleRoutesOptions {
  clock: Clock;
  /** Origin of capture URLs. */
  baseUrl(): string;
  /** Captures a request like any other. Returns the event's id. */
  capture(request: ComposedRequest): Promise<string>;
}

/** Routes of sample events of well-known providers, which test an endpoint. */
export function sampleRoutes({ clock, baseUrl, capture }: SampleRoutesOptions): Route[] {
  return routesOf(SAMPLE_CALLS, {
    'GET /api/samples': () => SAMPLES.map(sampleView),
    async 'POST /api/endpoints/{id}/test-events'({ endpoint, body, address, record }) {
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
  });
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
