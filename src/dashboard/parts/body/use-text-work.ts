import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonIndex } from '../../../core/text/json-index.ts';
import { SHORT_CHARACTERS, TextWork } from './text-work.ts';

/** Returns the work on a text. The work ends when another text is shown. */
export function useTextWork(text: string | null): TextWork | null {
  const work = useMemo(() => (text === null ? null : new TextWork(text)), [text]);
  useEffect(() => () => work?.close(), [work]);
  return work;
}

/**
 * Returns the index of a JSON text. Returns null if the text isn't JSON, and undefined while that
 * is unknown.
 */
export function useIndex(work: TextWork | null): JsonIndex | null | undefined {
  const isShort = work !== null && work.text.length <= SHORT_CHARACTERS;
  const atOnce = useMemo(() => {
    let index: JsonIndex | null | undefined;
    if (isShort) {
      work.index((known) => {
        index = known;
      });
    }
    return index;
  }, [work]);
  const [later, setLater] = useState<{ work: TextWork; index: JsonIndex | null } | null>(null);
  useEffect(() => {
    if (work && !isShort) work.index((index) => setLater({ work, index }));
  }, [work]);
  if (work === null) return null;
  if (isShort) return atOnce;
  return later?.work === work ? later.index : undefined;
}
