import { HEALTH_STATES, type HealthState } from '../../core/flow/health.ts';
import { UNJUDGED_REASONS, type UnjudgedReason } from '../../core/judging/unjudged.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  EVENT_STATUSES,
  type EventStatus,
  TRIGGERS,
  type Trigger,
} from '../../core/model.ts';

/**
 * Enumerations are stored as their index in the model's lists, for narrower rows and
 * indexes. New values go only at the end of a list.
 */
export const statusCode = (status: EventStatus): number => EVENT_STATUSES.indexOf(status);
export const statusOf = (code: number): EventStatus => EVENT_STATUSES[code] as EventStatus;
export const stateCode = (state: DeliveryState): number => DELIVERY_STATES.indexOf(state);
export const stateOf = (code: number): DeliveryState => DELIVERY_STATES[code] as DeliveryState;
export const triggerCode = (trigger: Trigger): number => TRIGGERS.indexOf(trigger);
export const triggerOf = (code: number): Trigger => TRIGGERS[code] as Trigger;
export const healthCode = (health: HealthState): number => HEALTH_STATES.indexOf(health);
export const healthOfCode = (code: number): HealthState => HEALTH_STATES[code] as HealthState;

/** `events.unjudged`. */
export const unjudgedCode = (reason: UnjudgedReason | null): number | null =>
  reason === null ? null : UNJUDGED_REASONS.indexOf(reason);
export const unjudgedOf = (code: number | null): UnjudgedReason | null =>
  code === null ? null : (UNJUDGED_REASONS[code] as UnjudgedReason);
