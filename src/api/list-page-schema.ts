import * as v from 'valibot';

const DEFAULT_LIMIT = 50;

/** A whole number in a query, which holds text. The metadata give its type to the OpenAPI document. */
function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,16}$/, message),
    v.metadata({ type: 'integer', pattern: undefined, minimum: least, maximum: most }),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** Query parameters of a list that comes in pages of at most `mostItems`. */
export const pageEntries = (mostItems: number) => ({
  page: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  limit: v.optional(wholeNumber(1, mostItems)),
});

/** The answer of a list that comes in pages. */
export function pageSchema<S extends v.GenericSchema>(item: S) {
  return v.object({
    data: v.array(item),
    page: v.number(),
    limit: v.number(),
    /** The number of items on all pages. */
    total: v.number(),
  });
}

/** The page that a query asks for. */
export function windowOf({
  page = 1,
  limit = DEFAULT_LIMIT,
}: {
  page?: number | undefined;
  limit?: number | undefined;
}): { page: number; limit: number; offset: number } {
  return { page, limit, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) };
}
