import type { InferOutput } from 'valibot';
import type { Body } from '../client/typed-call.ts';
import type { endpointSchema } from './endpoint-schema.ts';

export type Endpoint = InferOutput<typeof endpointSchema>;

/** The members that a person chooses. */
export type EndpointChoice = keyof Body<'PATCH /api/endpoints/{id}'>;

/** Who sends to an endpoint, and how requests prove it. */
export type Source = NonNullable<Endpoint['source']>;

export type CustomScheme = NonNullable<Source['scheme']>;
