import type { InferOutput } from 'valibot';
import type { endpointSchema } from '../calls/endpoint-calls.ts';

export type Endpoint = InferOutput<typeof endpointSchema>;

/** Who sends to an endpoint, and how requests prove it. */
export type Source = NonNullable<Endpoint['source']>;

export type CustomScheme = NonNullable<Source['scheme']>;
