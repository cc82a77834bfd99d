import type { Destination } from '../../core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS as DEFAULTS,
  type DestinationSettings,
} from '../../core/settings/destination-settings.ts';
import type { DestinationPatch } from '../contract/destinations.ts';

/** The number of kept versions of a destination's rule, including the present one. */
export const RULE_VERSIONS = 100;

const NOTHING_CHOSEN = '{}';

/** Returns settings in the form of `destinations.settings`. See `chosenOf`. */
export function storedSettings(settings: DestinationSettings): string {
  return chosenOf(settings, DEFAULTS);
}

/**
 * Returns the settings as JSON, without the values that equal their defaults. So a changed default
 * applies to every destination and endpoint that never chose a value.
 */
export function chosenOf<T extends object>(settings: T, defaults: Readonly<T>): string {
  const chosen = Object.entries(settings).filter(
    ([name, value]) => value !== defaults[name as keyof T],
  );
  return JSON.stringify(Object.fromEntries(chosen));
}

/** Reads stored settings, which were checked earlier. Keeps those that a newer program wrote. */
export function settingsOf(stored: string): DestinationSettings {
  if (stored === NOTHING_CHOSEN) return DEFAULTS;
  return { ...DEFAULTS, ...(JSON.parse(stored) as Partial<DestinationSettings>) };
}

export function patched(destination: Destination, patch: DestinationPatch): Destination {
  return {
    ...destination,
    ...patch,
    settings: { ...destination.settings, ...patch.settings },
  };
}

/** Returns whether a destination that failed may work after the patch. */
export function mayWork({ url, sealedSecret, sealedHeaders }: DestinationPatch): boolean {
  return url !== undefined || sealedSecret !== undefined || sealedHeaders !== undefined;
}
