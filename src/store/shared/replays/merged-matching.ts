import type { Matching } from './replay-slice.ts';

/**
 * Merges the results of searches that cover different events. The result is complete up to the
 * event that every search has reached.
 */
export function mergedMatching(found: readonly Matching[], limit: number): Matching {
  const reached = Math.min(
    ...found.map(({ resumeAfter }) => resumeAfter ?? Number.POSITIVE_INFINITY),
  );
  const seqs = found
    .flatMap((one) => one.seqs)
    .filter((seq) => seq <= reached)
    .sort((a, b) => a - b);
  if (seqs.length > limit) {
    const first = seqs.slice(0, limit);
    return { seqs: first, resumeAfter: first.at(-1) ?? null };
  }
  return { seqs, resumeAfter: Number.isFinite(reached) ? reached : null };
}
