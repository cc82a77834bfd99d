import type { InferOutput } from 'valibot';
import type { CallBody } from '../client/typed-call.ts';
import type { endpointSchema } from './endpoint-schema.ts';

export type EndpointAnswer = InferOutput<typeof endpointSchema>;

export type EndpointChoice = keyof CallBody<'PATCH /api/endpoints/{id}'>;

/** An endpoint's source: who sends to the endpoint, and how requests prove their sender. */
export type SourceAnswer = NonNullable<EndpointAnswer['source']>;

export type CustomSchemeAnswer = NonNullable<SourceAnswer['scheme']>;
