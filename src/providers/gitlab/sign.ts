import { tokenHeader } from '../own-sources/token-stamp.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { standardSigner } from '../signing/standard-signer.ts';

/** The prefix of signing tokens. Secret tokens don't have it. */
export const SIGNING_TOKEN_PREFIX = 'whsec_';

/**
 * A GitLab webhook has a secret token or, in newer versions, a signing token. GitLab sends the
 * secret token as it is. The signing token (`whsec_` and base64) signs as Standard Webhooks does.
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
