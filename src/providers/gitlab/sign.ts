import { HookrelayError } from '../../core/errors.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { standardSigner } from '../signing/standard-signer.ts';

/** Signing tokens begin with it, secret tokens don't. */
export const SIGNING_TOKEN_PREFIX = 'whsec_';
/** Characters that a header's value can't have (RFC 9110, section 5.5). */
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

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
    if (INVALID_VALUE.test(secret)) {
      throw new HookrelayError(
        'config_invalid',
        'the secret holds characters that cannot be sent in a header, as GitLab does',
      );
    }
    return [['X-Gitlab-Token', secret]];
  },
};
