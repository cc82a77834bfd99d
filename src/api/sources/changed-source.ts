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

/** Throws `invalid_input`. */
export function changedSource(
  endpoint: Pick<Endpoint, 'id' | 'source'>,
  patch: SourcePatch | null,
  keys: Keys,
): Source | null {
  if (patch === null) return null;
  const { settings, secrets } = mergedSource(openSource(endpoint, keys), patch);
  // Keep secrets that this server can't open.
  const sealedSecrets =
    secrets === null
      ? (endpoint.source as Source).sealedSecrets
      : keys.seal(JSON.stringify(secrets), endpoint.id);
  const brought = isConfirmed(endpoint.source, patch) ? undefined : endpoint.source?.brought;
  return { ...settings, sealedSecrets, ...(brought && { brought }) };
}

/** A person confirms the secret of a handshake by setting the secrets or another provider. */
function isConfirmed(
  before: Source | null,
  { provider = before?.provider, secrets, keep_secrets }: SourcePatch,
): boolean {
  return provider !== before?.provider || secrets !== undefined || keep_secrets !== undefined;
}

/**
 * Returns the `dedupe` setting after a change. If the choice is the same, the endpoint keeps the
 * keys that it knows. Throws `invalid_input` if the source's provider sends no id.
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

/** Returns false for a `token`, `basic` or `custom` source, because any provider may send to it. */
function givesNoId(provider: string): boolean {
  if (OWN_SOURCES.some((own) => own === provider)) return false;
  return CATALOGUE.find(({ name }) => name === provider)?.dedupesBy === null;
}

/** The order of paths makes no difference. */
function isSame(a: Dedupe['by'], b: Dedupe['by']): boolean {
  if (a === 'provider' || b === 'provider') return a === b;
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}
