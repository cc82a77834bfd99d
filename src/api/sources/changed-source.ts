import { randomBytes } from 'node:crypto';
import type { Endpoint } from '../../core/model.ts';
import type { Dedupe } from '../../core/proof/dedupe.ts';
import { OWN_SOURCES, type Source } from '../../core/proof/source.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { CATALOGUE } from '../../providers/catalogue.ts';
import { invalidField } from '../invalid-input.ts';
import { mergedSource, openSource } from './merged-source.ts';
import type { SourcePatch } from './source-schema.ts';

const SINCE_BYTES = 9;

/**
 * Returns the source of an endpoint after a change, with its secrets sealed. Throws
 * `invalid_input` with issues.
 */
export function changedSource(
  endpoint: Pick<Endpoint, 'id' | 'source'>,
  patch: SourcePatch | null,
  keys: Keys,
): Source | null {
  if (patch === null) return null;
  const { settings, secrets } = mergedSource(openSource(endpoint, keys), patch);
  // Secrets that can't be opened stay as they are.
  const sealedSecrets =
    secrets === null
      ? (endpoint.source as Source).sealedSecrets
      : keys.seal(JSON.stringify(secrets), endpoint.id);
  const brought = isConfirmed(endpoint.source, patch) ? undefined : endpoint.source?.brought;
  return { ...settings, sealedSecrets, ...(brought && { brought }) };
}

/**
 * Returns whether the change confirms the secret that a handshake brought. A person confirms it
 * who sets the secrets or another provider.
 */
function isConfirmed(
  before: Source | null,
  { provider = before?.provider, secrets, keep_secrets }: SourcePatch,
): boolean {
  return provider !== before?.provider || secrets !== undefined || keep_secrets !== undefined;
}

/**
 * Returns how an endpoint recognises repeated requests after a change. If the choice doesn't
 * change, the endpoint keeps the keys that it knows. Throws `invalid_input` if the source's
 * provider gives no id.
 */
export function changedDedupe(
  { source, dedupe }: { source: Source | null; dedupe: Dedupe | null },
  given: { by: Dedupe['by'] } | null,
): Dedupe | null {
  if (given === null) return null;
  const { by } = given;
  if (by === 'provider' && source && givesNoId(source.provider)) {
    const message = `${source.provider} gives no id of its deliveries: name paths`;
    throw invalidField('dedupe.by', message);
  }
  if (dedupe && isSame(dedupe.by, by)) return dedupe;
  return { by, since: randomBytes(SINCE_BYTES).toString('base64url') };
}

/** Any provider may send to a `token`, `basic` or `custom` source. */
function givesNoId(provider: string): boolean {
  if (OWN_SOURCES.some((own) => own === provider)) return false;
  return CATALOGUE.find(({ name }) => name === provider)?.dedupesBy === null;
}

/** The order of paths makes no difference. */
function isSame(a: Dedupe['by'], b: Dedupe['by']): boolean {
  if (a === 'provider' || b === 'provider') return a === b;
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}
