import type { InferOutput } from 'valibot';
import type { healthSchema, rotatedSchema, savedDestinationSchema } from './destination-schema.ts';

/** A destination. Additions and changes also answer with `warnings`. */
export type DestinationAnswer = InferOutput<typeof savedDestinationSchema>;

/** An accepted value that is probably a mistake. */
export type Warning = NonNullable<DestinationAnswer['warnings']>[number];

export type HealthAnswer = InferOutput<typeof healthSchema>;

/** Delays are durations. A schedule makes one attempt more than it has entries. */
export type RetryPolicyAnswer = NonNullable<DestinationAnswer['retry']>;

/** The new secret of a destination. */
export type SecretRotation = InferOutput<typeof rotatedSchema>;
