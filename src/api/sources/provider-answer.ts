import type { InferOutput } from 'valibot';
import type { providerSchema } from './source-calls.ts';

export type ProviderAnswer = InferOutput<typeof providerSchema>;
