import { quoted } from '../../core/text/words.ts';
import type { PayloadReader } from './payload-reader.ts';

const SHORT_SHA = 7;

/** Returns a short commit id. Returns any other text unchanged. */
export function shortSha(facts: PayloadReader, path: string): string | null {
  const text = facts.text(path);
  const isSha = typeof facts.at(path).value === 'string' && /^[0-9a-f]{12,64}$/.test(text ?? '');
  return isSha && text !== null ? text.slice(0, SHORT_SHA) : text;
}

/** Returns true if a commit id is all zeros, because the branch or tag was created or deleted. */
export function isNoCommit(facts: PayloadReader, path: string): boolean {
  return /^0{8,64}$/.test(facts.text(path) ?? '');
}

/** Returns the first line of a commit message, in quotation marks. */
export function commitTitle(facts: PayloadReader, path: string): string | null {
  const { value } = facts.at(path);
  if (typeof value !== 'string') return null;
  const [line = ''] = value.trim().split('\n', 1);
  return line === '' ? null : quoted(line, 80);
}

/** Returns `branch main` for `refs/heads/main`, and `tag v1` for `refs/tags/v1`. */
export function refName(ref: string | null, otherwise: 'branch' | 'tag' = 'branch'): string {
  const kind = ref?.startsWith('refs/tags/') ? 'tag' : otherwise;
  return `${kind} ${ref?.replace(/^refs\/(heads|tags)\//, '') ?? '?'}`;
}
