import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { valuesAt } from './place.ts';

/** @param place `header.x-token` or `query.t` */
export function tokenProof(place: string): Proof {
  return {
    grade: 'authenticated',
    secret: 'the token',
    problem: () => null,
    check(request, secret) {
      const values = valuesAt(request, place);
      if (values.length === 0) return 'signature_missing';
      return values.some((value) => isSameText(value, secret)) ? null : 'signature_mismatch';
    },
  };
}
