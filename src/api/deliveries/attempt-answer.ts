import type { InferOutput } from 'valibot';
import type { EventStatus } from '../../core/model.ts';
import type { attemptSchema } from './delivery-schema.ts';

export type AttemptAnswer = InferOutput<typeof attemptSchema>;

export interface StreamedAttempt extends AttemptAnswer {
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
}
