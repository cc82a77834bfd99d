import type { InferOutput } from 'valibot';
import type { CallBody } from '../client/typed-call.ts';
import type { endpointSchema } from './endpoint-schema.ts';

export type EndpointAnswer = InferOutput<typeof endpointSchema>;

/** The members that a person chooses. */
export type EndpointChoice = keyof CallBody<'PATCH /api/endpoints/{id}'>;

/** Who sends to an endpoint, and how requests prove it. */
export type SourceAnswer = NonNullable<EndpointAnswer['source']>;

export type CustomSchemeAnswer = NonNullable<SourceAnswer['scheme']>;
