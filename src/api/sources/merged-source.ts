import type { FieldError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import { OWN_SOURCES, type SourceSettings } from '../../core/proof/source.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { CATALOGUE } from '../../providers/catalogue.ts';
import { bringsSecret } from '../../providers/handshakes.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { countedSecrets, MOST_PUBLIC_KEYS } from '../../providers/public-keys.ts';
import { pastingProblem } from '../../providers/reasons/secret-variations.ts';
import { invalidInput } from '../invalid-input.ts';
import { MOST_SECRETS, NEEDS_SECRET, type SourcePatch } from './source-schema.ts';

export interface OpenSource {
  settings: SourceSettings;
  /** Null if this server's secret key can't open them. */
  secrets: readonly string[] | null;
}

/** Returns null without a source. */
export function openSource(
  { id, source }: Pick<Endpoint, 'id' | 'source'>,
  keys: Keys,
): OpenSource | null {
  if (source === null) return null;
  const { sealedSecrets, brought: _, ...settings } = source;
  const text = keys.open(sealedSecrets, id);
  return { settings, secrets: text === null ? null : (JSON.parse(text) as string[]) };
}

const OWN_FIELDS = ['url', 'in', 'scheme'] as const;

/**
 * Merges a patch into a source. Members that the patch leaves out stay. If the provider changes,
 * only `enforce` stays. Throws `invalid_input` with issues.
 */
export function mergedSource(before: OpenSource | null, patch: SourcePatch): OpenSource {
  const provider = patch.provider ?? before?.settings.provider;
  if (provider === undefined) throw invalidInput([issue('provider', 'is missing')]);
  const isSame = provider === before?.settings.provider;
  const absent = bringsSecret(provider) ? [] : undefined;
  const sent = secretsAfter(isSame ? before : null, patch);
  const secrets = sent === undefined ? absent : sent;
  if (secrets === undefined) {
    const why = before ? 'must be sent with another provider' : 'is missing';
    throw invalidInput([issue('secrets', why)]);
  }
  if (secrets?.length === 0 && !absent) throw invalidInput([issue('secrets', NEEDS_SECRET)]);
  const kept = isSame ? before.settings : null;
  const settings: SourceSettings = {
    provider,
    enforce: chosen(patch.enforce, before?.settings.enforce) ?? false,
    url: chosen(patch.url, kept?.url) ?? null,
    in: chosen(patch.in, kept?.in) ?? null,
    scheme: chosen(patch.scheme, kept?.scheme) ?? null,
  };
  const issues = [...fieldIssues(settings), ...secretIssues(settings, patch.secrets ?? [])];
  const isKept = patch.secrets === undefined && patch.scheme;
  if (isKept && secretIssues(settings, secrets ?? []).length > 0) {
    issues.push(issue('secrets', 'must be sent with this scheme, whose key has another form'));
  }
  // Check only keys that this patch chooses. An older source may have too many: it uses only the
  // first.
  const isChosen = patch.secrets || patch.keep_secrets || patch.scheme;
  if (isChosen && secrets) issues.push(...keyIssues(settings, secrets));
  if (issues.length > 0) throw invalidInput(issues);
  return { settings, secrets };
}

/** Returns undefined if no secrets are sent or kept, and null if this server can't open them. */
function secretsAfter(
  before: OpenSource | null,
  { secrets, keep_secrets }: SourcePatch,
): readonly string[] | null | undefined {
  if (keep_secrets === undefined) return secrets ?? before?.secrets;
  const present = before?.secrets ?? [];
  const issues = keep_secrets.flatMap((number, i) =>
    present[number - 1] === undefined
      ? [issue(`keep_secrets.${i}`, 'names no present secret')]
      : [],
  );
  if (issues.length > 0) throw invalidInput(issues);
  const kept = keep_secrets.map((number) => present[number - 1] as string);
  const all = [...new Set([...kept, ...(secrets ?? [])])];
  if (all.length === 0)
    throw invalidInput([issue('keep_secrets', 'must keep a secret, or send one')]);
  if (all.length > MOST_SECRETS) {
    throw invalidInput([issue('secrets', `must be at most ${MOST_SECRETS} with those that stay`)]);
  }
  return all;
}

/** Treats null as the default, and undefined as no change. */
function chosen<T>(given: T | null | undefined, present: T | undefined): T | null | undefined {
  return given === undefined ? present : given;
}

function fieldIssues(settings: SourceSettings): FieldError[] {
  const { provider } = settings;
  const fields: readonly string[] = CATALOGUE.find(({ name }) => name === provider)?.fields ?? [];
  const unused = OWN_FIELDS.filter((name) => settings[name] !== null && !fields.includes(name));
  const missing = (['in', 'scheme'] as const).filter(
    (name) => settings[name] === null && fields.includes(name),
  );
  return [
    ...unused.map((name) => issue(name, `is not a member of ${provider}`)),
    ...missing.map((name) => issue(name, `is missing: ${provider} needs it`)),
  ];
}

function secretIssues(settings: SourceSettings, given: readonly string[]): FieldError[] {
  const proof = proofOf(settings);
  return given.flatMap((secret, i) => {
    const isPasted = isPadded(secret) && (settings.provider !== 'custom' || secret.trim() === '');
    const isOwn = OWN_SOURCES.some((own) => own === settings.provider);
    const problem = isPasted
      ? 'must have no blanks or line breaks around it'
      : ((isOwn ? null : pastingProblem(secret)) ?? proof?.problem(secret));
    return problem ? [issue(`secrets.${i}`, problem)] : [];
  });
}

function keyIssues(settings: SourceSettings, secrets: readonly string[]): FieldError[] {
  const counted = countedSecrets(proofOf(settings) ?? {}, secrets);
  if (counted.length === secrets.length) return [];
  return [issue('secrets', `must have at most ${MOST_PUBLIC_KEYS} public keys`)];
}

/** Blanks around a secret are pasted by mistake, and only a custom key may have them. */
function isPadded(secret: string): boolean {
  return secret.trim() !== secret;
}

function issue(member: string, message: string): FieldError {
  return { path: `source.${member}`, message };
}
