import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Published, Vector } from './vector.ts';

/** What one provider's requests are checked with. */
interface ProviderVectors {
  provider: string;
  vectors: readonly Vector[];
  published: readonly Published[];
}

/** A file of one provider, `stripe.ts`. */
interface OfOne {
  default: readonly Vector[];
  published?: readonly Published[];
}

/** A table of providers that sign alike, by their names. */
interface OfMany {
  default: Record<string, readonly Vector[]>;
  published?: Record<string, readonly Published[]>;
}

const DIRECTORY = fileURLToPath(new URL('./vectors', import.meta.url));
const FILES = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

/** The vectors of all providers, a provider once for each file that names it. */
export const ALL_VECTORS: readonly ProviderVectors[] = (
  await Promise.all(FILES.map(vectorsOf))
).flat();

async function vectorsOf(file: string): Promise<ProviderVectors[]> {
  const content = (await import(`${DIRECTORY}/${file}`)) as OfOne | OfMany;
  if (isOfOne(content)) {
    const { default: vectors, published = [] } = content;
    return [{ provider: basename(file, '.ts'), vectors, published }];
  }
  const { default: table, published = {} } = content;
  const providers = new Set([...Object.keys(table), ...Object.keys(published)]);
  return [...providers].map((provider) => ({
    provider,
    vectors: table[provider] ?? [],
    published: published[provider] ?? [],
  }));
}

function isOfOne(content: OfOne | OfMany): content is OfOne {
  return Array.isArray(content.default);
}
