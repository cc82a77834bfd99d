import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { DestinationChoice } from '../../../core/http/destination-choice.ts';
import type { JudgingSettings, Verdict } from '../../../core/rules/verdict.ts';
import type { EndpointSettings } from '../../../core/settings/endpoint-settings.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { type EndpointRow, endpointSettingsOf } from '../endpoints/stored-endpoint.ts';
import { sourceOf } from '../events/stored-proof.ts';

export interface CapturingEndpoint extends Omit<EndpointRow, 'settings'> {
  settings: EndpointSettings;
  /** Whether the endpoint has a source or recognizes repeated requests. */
  needsVerdict: boolean;
}

export function targetOf(row: EndpointRow): CapturingEndpoint {
  const settings = endpointSettingsOf(row.settings);
  return { ...row, settings, needsVerdict: row.source !== null || settings.dedupe !== null };
}

/** Returns whether the request must first be judged by the present settings. */
export function isStale(verdict: Verdict | undefined, target: CapturingEndpoint): boolean {
  if (verdict) return verdict.version !== target.settingsVersion;
  return target.judgedDestinations > 0 || target.needsVerdict;
}

/** Returns why the endpoint refuses a request, or null if it accepts the request. */
export function refusalOf(verdict: Verdict | undefined, target: CapturingEndpoint) {
  if (!target.settings.is_active) return 'endpoint_inactive';
  if (isStale(verdict, target)) return 'stale';
  return verdict?.refused ? 'signature_invalid' : null;
}

/** Returns the settings by which to judge a stale request. */
export function judgeByOf(
  target: CapturingEndpoint,
  filters: JudgingSettings['filters'],
): JudgingSettings {
  return {
    userId: target.userId,
    version: target.settingsVersion,
    endpointId: target.id,
    source: sourceOf(target),
    dedupe: target.settings.dedupe,
    filters,
  };
}

/** Returns whether to store a refused request. If a person accepts it, it is stored already. */
export function isKept({ verdict, accepts }: { verdict?: Verdict; accepts?: string }): boolean {
  return verdict?.refused?.keep === true && accepts === undefined;
}

/**
 * Returns the destinations that get an event, and the drops by filters. A repeated event has
 * neither. A destination that isn't chosen has no drop either: its filter wasn't asked.
 */
export function sharesOf(
  { verdict, chosen }: Pick<CapturedRequest, 'verdict' | 'chosen'>,
  isRepeated: boolean,
  destinations: readonly ClaimedDestination[],
): { takers: readonly ClaimedDestination[]; dropped: Verdict['dropped'] } {
  if (isRepeated) return { takers: [], dropped: [] };
  const dropped = verdict?.dropped ?? [];
  if (verdict?.handshake) return { takers: [], dropped };
  if (chosen) return chosenShares(chosen, dropped, destinations);
  return dropped.length === 0
    ? { takers: destinations, dropped }
    : { takers: without(destinations, dropped), dropped };
}

function chosenShares(
  chosen: DestinationChoice,
  dropped: Verdict['dropped'],
  destinations: readonly ClaimedDestination[],
) {
  const isNamed = ({ id }: ClaimedDestination, ids: readonly string[]) =>
    id !== null && ids.includes(id);
  if ('only' in chosen) {
    return { takers: destinations.filter((one) => isNamed(one, chosen.only)), dropped: [] };
  }
  const others = destinations.filter((one) => !isNamed(one, chosen.except));
  const keys = new Set(others.map(({ key }) => key));
  const own = dropped.filter(({ destinationKey }) => keys.has(destinationKey));
  return { takers: without(others, own), dropped: own };
}

function without(
  destinations: readonly ClaimedDestination[],
  dropped: Verdict['dropped'],
): readonly ClaimedDestination[] {
  const keys = new Set(dropped.map(({ destinationKey }) => destinationKey));
  return destinations.filter(({ key }) => !keys.has(key));
}
