import * as v from 'valibot';
import { about } from './about.ts';

/** The warnings of an answer to a change. */
export function warningsSchema<const P extends string, const C extends string>(
  paths: readonly P[],
  codes: readonly C[],
) {
  const warning = v.object({
    path: v.picklist(paths),
    code: v.picklist(codes),
    message: v.string(),
  });
  return about(
    v.optional(v.array(warning)),
    'Probable mistakes in the request. Absent without any.',
  );
}

/** The member of an answer with warnings. It is absent without any. */
export function warned<W>(warnings: W[]): { warnings?: W[] } {
  return warnings.length > 0 ? { warnings } : {};
}
