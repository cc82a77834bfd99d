import type { InferOutput } from 'valibot';
import type { eventSchema, eventSummarySchema } from './event-schema.ts';
import type { signedHeadersSchema } from './signed-headers-schema.ts';

/** An event in lists (with `view=summary`) and streams. */
export type EventSummaryAnswer = InferOutput<typeof eventSummarySchema>;

/** An event without its body. */
export type EventHeadAnswer = Omit<InferOutput<typeof eventSchema>, 'headers' | 'body'>;

/** Why a request isn't verified, in words. */
export type VerificationFailure = NonNullable<EventHeadAnswer['verification_failure']>;

/** Headers by which a receiver verifies an event with its provider's library. */
export type SignedHeaders = InferOutput<typeof signedHeadersSchema>;
