import type { HealthState } from '../../core/flow/health.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import type { GiveUpOn } from '../../core/settings/retry-schema.ts';

export interface Destination
  extends Omit<DestinationSettings, 'filter' | 'timeout' | 'retry' | 'hold'> {
  id: string;
  url: string;
  /** Masked. Absent without a secret. */
  secret?: string;
  /** Until then the secret before a rotation signs too. Absent without one. */
  previous_expires_at?: string;
  /** A rule in text, or as JSON: as it was written. */
  filter: unknown;
  /** Masked values by name; null without headers. */
  headers: Record<string, string> | null;
  /** A duration; null for the server's. */
  timeout: string | null;
  retry: RetryPolicy | null;
  /** A duration; null for ever. */
  hold: string | null;
  created_at: string;
  health: DestinationHealth;
  waiting: { count: number; at_least: boolean; oldest_at: string | null };
  /** What is doubtful in an addition or a change. Absent without any. */
  warnings?: Warning[];
}

/** A value that is taken, though it is probably a mistake. */
export interface Warning {
  path: 'secret' | 'url';
  code: 'weak_secret' | 'same_url';
  message: string;
}

export interface DestinationHealth {
  state: HealthState;
  since: string | null;
  consecutive_failures: number;
  next_probe_at: string | null;
}

/** Delays are durations. A schedule makes one attempt more than it has entries. */
export type RetryPolicy = {
  /** Statuses at which a delivery dies at once. */
  give_up_on?: GiveUpOn | undefined;
} & ({ attempts: number; base: string; factor: number; max: string } | { schedule: string[] });

/** The new secret of a destination. */
export interface SecretRotation {
  /** Shown once, where the server made it. */
  secret?: string;
  /** Until then the previous secret signs too; null where none does. */
  previous_expires_at: string | null;
  /** What is doubtful in a secret that was given. Absent without any. */
  warnings?: Warning[];
}
