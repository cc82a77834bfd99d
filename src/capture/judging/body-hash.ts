import { hash } from 'node:crypto';
import { isScalar, type Value, writeDocument } from '../../core/rules/document.ts';
import { EVERY, type PathStep } from '../../core/rules/path.ts';

/**
 * Hashes a body without the values that differ between a sender's retries. If the body has no such
 * values, or can't be rewritten, it hashes the bytes.
 *
 * @param varies paths of these values in the body
 * @param read returns the body as rules see it
 */
export function bodyHash(
  bytes: Buffer,
  varies: readonly (readonly PathStep[])[],
  read: () => Value | undefined,
): string {
  const document = varies.length === 0 ? undefined : read();
  const kept = document && varies.reduce((left: Value, path) => without(left, path), document);
  if (kept === document) return hash('sha256', bytes, 'base64url');
  try {
    return hash('sha256', writeDocument(kept as Value), 'base64url');
  } catch {
    // Writing recurses, and a body may have a million levels.
    return hash('sha256', bytes, 'base64url');
  }
}

/**
 * Returns a copy without the values at a path. Returns the document itself if the path has no
 * value.
 */
function without(document: Value, [step, ...rest]: readonly PathStep[]): Value {
  if (step === undefined || isScalar(document)) return document;
  if (Array.isArray(document)) {
    const cut = document.map((element, i) =>
      step === EVERY || step === i ? without(element, rest) : element,
    );
    return cut.some((element, i) => element !== document[i]) ? cut : document;
  }
  if (typeof step !== 'string' || !Object.hasOwn(document, step)) return document;
  const { [step]: member, ...others } = document;
  if (rest.length === 0) return others;
  const cut = without(member as Value, rest);
  return cut === member ? document : { ...document, [step]: cut };
}
