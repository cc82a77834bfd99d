import type { DestinationSettings } from '../../../core/settings/destination-settings.ts';

/** Whether the destination's attempts are signed as the endpoint's provider signs. */
export function isSignedAsProvider(settings: DestinationSettings): boolean {
  return 'sign_as' in settings && settings.sign_as === 'provider';
}
