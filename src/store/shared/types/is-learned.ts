import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';

const code = (state: VerificationState) => VERIFICATION_STATE.code(state);

/**
 * Whether the learner reads event `e` of endpoint `p`. Strangers must not change shapes, so if a
 * source is set, only events with a proven sender count. Edited copies don't count, because they
 * show what a person wrote.
 */
export const IS_LEARNED = `p.deleted_at IS NULL AND p.user_id <> '${INTERNAL_USER.id}'
  AND e.duplicate_of IS NULL AND e.edited_from IS NULL
  AND CASE WHEN p.source IS NULL
    THEN coalesce(e.verification, ${code('unverified')}) <> ${code('failed')}
    ELSE coalesce(e.verification, ${code('unverified')})
      IN (${code('verified')}, ${code('authenticated')}) END`;
