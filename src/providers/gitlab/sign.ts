import { tokenHeader } from '../own-sources/token-stamp.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { standardSigner } from '../signing/standard-signer.ts';

/** Signing tokens begin with it, secret tokens don't. */
export const SIGNING_TOKEN_PREFIX = 'whsec_';

/**
 * A GitLab webhook has a secret token, which is sent as it is, or (newer) a
 * signing token, `whsec_` and base64, which signs as Standard Webhooks does.
 *
 * https://docs.gitlab.com/user/project/integrations/webhooks/#validate-payloads-by-using-a-secret-token
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944
 */
export const gitlabSigner: Signer = {
  testSecret: TEST_SECRET,
  sign(request, secret) {
    if (secret.startsWith(SIGNING_TOKEN_PREFIX)) return standardSigner.sign(request, secret);
    return [tokenHeader('X-Gitlab-Token', secret)];
  },
};
