import type { SourceSettings } from '../core/proof/source.ts';
import { HANDSHAKE_HINTS } from './handshake-hints.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';
import { resignerOf } from './resign.ts';

/** A setting of a source that a provider needs, besides its name. */
type SourceField = 'secrets' | keyof Pick<SourceSettings, 'url' | 'in' | 'scheme'>;

/** What hookrelay can do with a sender's requests. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** Whether a source may name it. */
  verifies: boolean;
  /** Whether `sign_as` can sign deliveries as it signs. */
  signs: boolean;
  fields: readonly SourceField[];
  /**
   * Paths of what it repeats when it sends a delivery again; null where it repeats nothing known.
   */
  dedupesBy: readonly string[] | null;
  /** Whether its check of the URL is answered. */
  handshake: boolean;
  /** What a person should know of that check; null where there is none. */
  hint: string | null;
  /** The provider's term for the secret, with an article; null where nothing is verified. */
  secret: string | null;
  /** How such a secret begins; null where that tells nothing. */
  secretPrefix: string | null;
}

/** Every provider, by name, and the sources that are no provider. */
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
