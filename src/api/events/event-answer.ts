import type { InferOutput } from 'valibot';
import type { editedCopySchema, eventSchema, eventSummarySchema } from './event-schema.ts';
import type { signedHeadersSchema } from './signed-headers-schema.ts';

export type EventSummaryAnswer = InferOutput<typeof eventSummarySchema>;

export type EventHeadAnswer = Omit<InferOutput<typeof eventSchema>, 'headers' | 'body'>;

/** Why an edited copy doesn't reach a destination, or may be refused there. */
export type CopyWarning = NonNullable<InferOutput<typeof editedCopySchema>['warnings']>[number];

export type VerificationFailure = NonNullable<EventHeadAnswer['verification_failure']>;

/** Headers that let a receiver verify an event with its provider's library. */
export type SignedHeaders = InferOutput<typeof signedHeadersSchema>;
