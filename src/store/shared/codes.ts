import { HEALTH_STATE, type HealthState } from '../../core/flow/health.ts';
import { UNJUDGED_REASON, type UnjudgedReason } from '../../core/judging/unjudged.ts';
import {
  DELIVERY_STATE,
  type DeliveryState,
  EVENT_STATUS,
  type EventStatus,
  TRIGGER,
  type Trigger,
} from '../../core/model.ts';

export const statusCode = (status: EventStatus): number => EVENT_STATUS.code(status);
export const statusOf = (code: number): EventStatus => EVENT_STATUS.name(code);
export const stateCode = (state: DeliveryState): number => DELIVERY_STATE.code(state);
export const stateOf = (code: number): DeliveryState => DELIVERY_STATE.name(code);
export const triggerCode = (trigger: Trigger): number => TRIGGER.code(trigger);
export const triggerOf = (code: number): Trigger => TRIGGER.name(code);
export const healthCode = (health: HealthState): number => HEALTH_STATE.code(health);
export const healthOfCode = (code: number): HealthState => HEALTH_STATE.name(code);

/** `events.unjudged`. */
export const unjudgedCode = (reason: UnjudgedReason | null): number | null =>
  reason === null ? null : UNJUDGED_REASON.code(reason);
export const unjudgedOf = (code: number | null): UnjudgedReason | null =>
  code === null ? null : UNJUDGED_REASON.name(code);
