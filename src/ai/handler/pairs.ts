import { entryOf } from '../../core/entry-of.ts';
import { HookrelayError } from '../../core/errors.ts';

/** The languages and frameworks that handlers are written for. */
export const HANDLER_PAIRS = {
  typescript: ['express', 'fastify', 'nextjs'],
  javascript: ['express', 'fastify', 'nextjs'],
  python: ['fastapi'],
  go: ['gin'],
} as const;

type HandlerLanguage = keyof typeof HANDLER_PAIRS;

/** A language and one of its frameworks: `typescript/express`. */
export type HandlerPair = {
  [L in HandlerLanguage]: `${L}/${(typeof HANDLER_PAIRS)[L][number]}`;
}[HandlerLanguage];

/**
 * Returns the pair of these names. Throws `unsupported_framework`, with a hint that lists the
 * pairs.
 */
export function handlerPair(language: string, framework: string): HandlerPair {
  const frameworks = entryOf<readonly string[]>(HANDLER_PAIRS, language) ?? [];
  if (frameworks.includes(framework)) return `${language}/${framework}` as HandlerPair;
  const pairs = Object.entries(HANDLER_PAIRS).map(
    ([name, choices]) => `${name} with ${choices.join(', ')}`,
  );
  throw new HookrelayError(
    'unsupported_framework',
    'there is no handler for this language and framework',
    { hint: `use ${pairs.join('; ')}` },
  );
}
