import * as v from 'valibot';

/** The shape of every error answer. */
export const errorSchema = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    hint: v.optional(v.string()),
    issues: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
    request_id: v.optional(v.string()),
  }),
});
