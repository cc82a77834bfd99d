import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';

const code = (state: VerificationState) => VERIFICATION_STATE.code(state);

/**
 * Whether shapes are learned from event `e` of endpoint `p`. A stranger must not shape
 * types: where a source is set, only those events count whose sender is proven. An edited
 * copy shows what a person wrote, not what the sender sends.
 */
export const IS_LEARNED = `p.deleted_at IS NULL AND p.user_id <> '${INTERNAL_USER.id}'
  AND e.duplicate_of IS NULL AND e.edited_from IS NULL
  AND CASE WHEN p.source IS NULL
    THEN coalesce(e.verification, ${code('unverified')}) <> ${code('failed')}
    ELSE coalesce(e.verification, ${code('unverified')})
      IN (${code('verified')}, ${code('authenticated')}) END`;
