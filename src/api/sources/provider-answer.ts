import type { InferOutput } from 'valibot';
import type { providerSchema } from './source-calls.ts';

/** A sender that an endpoint's source may name. */
export type ProviderAnswer = InferOutput<typeof providerSchema>;
