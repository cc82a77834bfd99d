import type { InferOutput } from 'valibot';
import type { healthSchema, rotatedSchema, savedDestinationSchema } from './destination-schema.ts';

/** A destination. Only answers to additions and changes have `warnings`. */
export type DestinationAnswer = InferOutput<typeof savedDestinationSchema>;

/** An accepted value that is probably a mistake. */
export type Warning = NonNullable<DestinationAnswer['warnings']>[number];

export type HealthAnswer = InferOutput<typeof healthSchema>;

/** Delays are durations, in text. A schedule of N delays allows N + 1 attempts. */
export type RetryPolicyAnswer = NonNullable<DestinationAnswer['retry']>;

export type SecretRotation = InferOutput<typeof rotatedSchema>;
