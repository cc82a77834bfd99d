import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';

/** The prefix of a public key of Standard Webhooks, which replaces a secret. */
const PUBLIC_KEY_PREFIX = 'whpk_';

/**
 * Returns a warning about a secret while somebody types it, or null if it looks right. The server
 * makes the real check.
 *
 * @param provider null if unknown
 */
export function secretWarning(typed: string, provider: ProviderAnswer | null): string | null {
  const text = typed.trim();
  // A provider without its own secret accepts any text as the account's key.
  if (text === '' || (provider !== null && provider.secret === null)) return null;
  if (/^(["'`]).*\1$/s.test(text)) return 'It has quotes around it: paste what is between them.';
  if (/^\*{4,}/.test(text)) return 'It is masked: copy the secret itself.';
  if (/^[A-Z][A-Z0-9_]*=/.test(text)) return 'It has a name in front: paste what follows the “=”.';
  if (/^(?:bearer|basic) /i.test(text) && provider?.secret?.includes('Authorization') !== true) {
    return 'It has the scheme of a header in front: paste what follows the blank.';
  }
  // A secret that a person chose may contain blanks, and a PEM key has several lines.
  const gap = provider?.secret_prefix == null ? /[\r\n]/ : /\s/;
  if (!text.startsWith('-----') && gap.test(text)) return 'It has a blank or a line break inside.';
  return prefixWarning(text, provider);
}

function prefixWarning(text: string, provider: ProviderAnswer | null): string | null {
  const prefix = provider?.secret_prefix ?? null;
  if (prefix === null || text.startsWith(prefix) || text.startsWith(PUBLIC_KEY_PREFIX)) return null;
  return `A secret of ${provider?.title} begins with ${prefix}.`;
}
