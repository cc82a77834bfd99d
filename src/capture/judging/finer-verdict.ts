import type { Verdict } from '../../core/rules/verdict.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { rightOtherwise } from '../../providers/reasons/right-otherwise.ts';
import type { JudgedRequest, OpenedSettings } from './endpoint-judge.ts';

/** A verdict on a failed request, and other URLs that its sender may have signed. */
export interface FailedVerdict {
  verdict: Verdict;
  urls: readonly string[];
}

/**
 * Returns the verdict with the reason why no signature matches. Returns it unchanged if no reason
 * is found.
 */
export function finerVerdict(
  { verdict, urls }: FailedVerdict,
  { settings: { source }, secrets }: OpenedSettings,
  { sentAt: receivedAt, ...request }: JudgedRequest,
): Verdict {
  const { verification } = verdict;
  const proof = source && proofOf(source);
  if (!proof || !secrets || verification?.state !== 'failed') return verdict;
  const found = rightOtherwise(proof, secrets, { ...request, receivedAt }, urls);
  return found ? { ...verdict, verification: { ...verification, reason: found.reason } } : verdict;
}
