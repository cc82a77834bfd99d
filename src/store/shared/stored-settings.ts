import type { Destination } from '../../core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS as DEFAULTS,
  type DestinationSettings,
} from '../../core/settings/destination-settings.ts';
import type { DestinationPatch } from '../contract/destinations.ts';

const NOTHING_CHOSEN = '{}';

/**
 * Settings as `destinations.settings` holds them: JSON of those that differ from
 * their defaults, so that a new default reaches destinations that chose nothing.
 */
export function storedSettings(settings: DestinationSettings): string {
  const chosen = Object.entries(settings).filter(
    ([name, value]) => value !== DEFAULTS[name as keyof DestinationSettings],
  );
  return JSON.stringify(Object.fromEntries(chosen));
}

/** Values were checked before they were stored. Those of a newer program stay in the object. */
export function settingsOf(stored: string): DestinationSettings {
  if (stored === NOTHING_CHOSEN) return DEFAULTS;
  return { ...DEFAULTS, ...(JSON.parse(stored) as Partial<DestinationSettings>) };
}

/** A destination as a patch leaves it. */
export function patched(destination: Destination, patch: DestinationPatch): Destination {
  return {
    ...destination,
    ...patch,
    settings: { ...destination.settings, ...patch.settings },
  };
}
