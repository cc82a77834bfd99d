import type { InferOutput } from 'valibot';
import type { eventSchema, eventSummarySchema } from './event-schema.ts';
import type { signedHeadersSchema } from './signed-headers-schema.ts';

export type EventSummaryAnswer = InferOutput<typeof eventSummarySchema>;

export type EventHeadAnswer = Omit<InferOutput<typeof eventSchema>, 'headers' | 'body'>;

export type VerificationFailure = NonNullable<EventHeadAnswer['verification_failure']>;

/** Headers that let a receiver verify an event with its provider's library. */
export type SignedHeaders = InferOutput<typeof signedHeadersSchema>;
