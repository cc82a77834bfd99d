import { tokenStamp } from '../own-sources/token-stamp.ts';

/** The password, which Gitee sends unless the webhook has a signing key. */
export const giteeStamp = tokenStamp('X-Gitee-Token');
