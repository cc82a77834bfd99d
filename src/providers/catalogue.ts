import type { SourceSettings } from '../core/proof/source.ts';
import { HANDSHAKE_HINTS } from './handshake-hints.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';
import { resignerOf } from './resign.ts';

/** A setting that a provider's source needs, in addition to the provider's name. */
type SourceField = 'secrets' | keyof Pick<SourceSettings, 'url' | 'in' | 'scheme'>;

/** What hookrelay can do with a sender's requests. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** True if a source may have this name. */
  verifies: boolean;
  /** True if `sign_as` can sign deliveries in the provider's way. */
  signs: boolean;
  /** What signing again can't renew. Null if it renews everything, or if hookrelay can't sign. */
  signsNote: string | null;
  fields: readonly SourceField[];
  /**
   * Paths of values that are the same when the provider retries a delivery. Null if none are known.
   */
  dedupesBy: readonly string[] | null;
  /** True if hookrelay answers the provider's URL check. */
  handshake: boolean;
  /** What a person should know about the URL check. Null if there is nothing to know. */
  hint: string | null;
  /** The provider's term for the secret, with an article. Null if hookrelay can't verify. */
  secret: string | null;
  /** The first characters of every such secret. Null if secrets have no fixed prefix. */
  secretPrefix: string | null;
}

/** Every provider, sorted by name, then the sources that aren't providers. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...PROVIDERS.map(catalogueEntry).sort((a, b) => (a.name < b.name ? -1 : 1)),
  own('token', 'A token', ['secrets', 'in']),
  own('basic', 'HTTP Basic', ['secrets']),
  own('custom', 'A signature of your own', ['secrets', 'scheme', 'url']),
];

function catalogueEntry(provider: Provider): CatalogueEntry {
  const { name, title, proof, once, handshakes, signature } = provider;
  const hasUrl = proof?.coversUrl || handshakes?.some(({ hashesUrl }) => hashesUrl);
  return {
    name,
    title,
    verifies: proof !== undefined,
    signs: resignerOf(name) !== null,
    signsNote: signature?.note ?? null,
    fields: proof ? ['secrets', ...(hasUrl ? (['url'] as const) : [])] : [],
    dedupesBy: once?.by[0] ?? null,
    handshake: handshakes !== undefined,
    hint: HANDSHAKE_HINTS[name] ?? null,
    secret: proof?.secret ?? null,
    secretPrefix: proof?.secretPrefix ?? null,
  };
}

function own(name: string, title: string, fields: readonly SourceField[]): CatalogueEntry {
  return {
    ...{ name, title, verifies: true, signs: false, signsNote: null, fields },
    ...{ dedupesBy: null, handshake: false, hint: null, secret: null, secretPrefix: null },
  };
}
