import type { InferOutput } from 'valibot';
import type { CallBody } from '../client/typed-call.ts';
import type { endpointSchema, savedEndpointSchema } from './endpoint-schema.ts';

export type EndpointAnswer = InferOutput<typeof endpointSchema>;

/** An endpoint in the answer to its creation or a change. */
type SavedEndpoint = InferOutput<typeof savedEndpointSchema>;

/** An accepted value that is probably a mistake. */
export type EndpointWarning = NonNullable<SavedEndpoint['warnings']>[number];

export type EndpointChoice = keyof CallBody<'PATCH /api/endpoints/{id}'>;

/** An endpoint's source: who sends to the endpoint, and how requests prove their sender. */
export type SourceAnswer = NonNullable<EndpointAnswer['source']>;

export type CustomSchemeAnswer = NonNullable<SourceAnswer['scheme']>;
