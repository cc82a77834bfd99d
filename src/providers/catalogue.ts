import type { SourceSettings } from '../core/proof/source.ts';
import { HANDSHAKE_HINTS } from './handshake-hints.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';
import { resignerOf } from './resign.ts';

/** A setting that a provider's source needs, apart from the provider's name. */
type SourceField = 'secrets' | keyof Pick<SourceSettings, 'url' | 'in' | 'scheme'>;

/** What hookrelay can do with a sender's requests. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** True if a source may have this name. */
  verifies: boolean;
  /** True if `sign_as` can sign deliveries in the provider's way. */
  signs: boolean;
  fields: readonly SourceField[];
  /**
   * Paths of the values that stay the same when the provider sends a delivery again. Null if no
   * such values are known.
   */
  dedupesBy: readonly string[] | null;
  /** True if hookrelay answers the provider's check of the URL. */
  handshake: boolean;
  /** What a person should know about that check. Null if there is no check, or nothing to know. */
  hint: string | null;
  /** The provider's term for the secret, with an article. Null if hookrelay verifies nothing. */
  secret: string | null;
  /** The first characters of such a secret. Null if secrets have no fixed beginning. */
  secretPrefix: string | null;
}

/** Every provider, sorted by name, and then the sources that aren't providers. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...PROVIDERS.map(catalogueEntry).sort((a, b) => (a.name < b.name ? -1 : 1)),
  own('token', 'A token', ['secrets', 'in']),
  own('basic', 'HTTP Basic', ['secrets']),
  own('custom', 'A signature of your own', ['secrets', 'scheme', 'url']),
];

function catalogueEntry({ name, title, proof, once, handshakes }: Provider): CatalogueEntry {
  const hasUrl = proof?.coversUrl || handshakes?.some(({ hashesUrl }) => hashesUrl);
  return {
    name,
    title,
    verifies: proof !== undefined,
    signs: resignerOf(name) !== null,
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
    ...{ name, title, verifies: true, signs: false, fields },
    ...{ dedupesBy: null, handshake: false, hint: null, secret: null, secretPrefix: null },
  };
}
