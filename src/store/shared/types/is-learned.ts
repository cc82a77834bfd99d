import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';

const code = (state: VerificationState) => VERIFICATION_STATE.code(state);

/**
 * Whether event `e` of endpoint `p` counts for shapes. A stranger must not change them: if a
 * source is set, only events with a proven sender count. An edited copy shows what a person
 * wrote, not what the sender sends.
 */
export const IS_LEARNED = `p.deleted_at IS NULL AND p.user_id <> '${INTERNAL_USER.id}'
  AND e.duplicate_of IS NULL AND e.edited_from IS NULL
  AND CASE WHEN p.source IS NULL
    THEN coalesce(e.verification, ${code('unverified')}) <> ${code('failed')}
    ELSE coalesce(e.verification, ${code('unverified')})
      IN (${code('verified')}, ${code('authenticated')}) END`;
