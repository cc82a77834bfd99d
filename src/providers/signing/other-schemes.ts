import type { SignatureScheme } from './signature-scheme.ts';
import type { SignedBy } from './signed-by.ts';
import { headerOf } from './signed-request.ts';
import { verifyAnyScheme, verifyScheme } from './verify-scheme.ts';

/** Returns a copy of a provider's signature whose proof also accepts a second scheme. */
export function orSigned<Signed extends SignedBy>(
  signed: Signed,
  differences: Partial<SignatureScheme>,
): Signed {
  const { scheme } = signed.signature;
  const schemes = [scheme, { ...scheme, ...differences }];
  return {
    ...signed,
    proof: {
      ...signed.proof,
      check: (request, secret) => verifyAnyScheme(schemes, request, secret),
    },
  };
}

/**
 * Returns a copy of a provider's signature. Its proof checks requests without `header` by a second
 * scheme.
 */
export function withoutHeader<Signed extends SignedBy>(
  header: string,
  signed: Signed,
  differences: Partial<SignatureScheme>,
): Signed {
  const { scheme } = signed.signature;
  const other = { ...scheme, ...differences };
  return {
    ...signed,
    proof: {
      ...signed.proof,
      check: (request, secret) =>
        verifyScheme(headerOf(request, header) === null ? other : scheme, request, secret),
    },
  };
}
