import { checkRsa, isSignature } from '../fetched-keys/check-rsa.ts';
import { pinnedUrl } from '../fetched-keys/fetched-key.ts';
import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { type SnsMessage, snsMessage } from './message.ts';
import { hostOfTopic, isTopicArn } from './topic.ts';

const CERTIFICATE = {
  host: /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/,
  path: /^\/SimpleNotificationService-[A-Za-z0-9]{16,64}\.pem$/,
};

/**
 * An RSA signature over members of the message, with the key in the certificate at
 * `SigningCertURL`. SNS signs for every topic owner, so only the TopicArn identifies the sender.
 *
 * Like AWS's own validators, hookrelay doesn't verify the certificate's chain. TLS proves the host,
 * and the host must be SNS in the topic's region.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export const snsProof: Proof = {
  grade: 'verified',
  secret: 'the TopicArn',
  problem: (text) =>
    isTopicArn(text)
      ? null
      : 'must be a TopicArn, such as arn:aws:sns:us-east-1:123456789012:orders',
  keyNeeded({ body }, secrets) {
    const message = snsMessage(body);
    if (typeof message === 'string') return null;
    const isOwn = secrets.some((topicArn) => isSameText(message.topicArn, topicArn));
    if (!isOwn || !isSignature(message.signature)) return null;
    const url = certificateUrl(message);
    return url === null ? null : { kind: 'certificate', url };
  },
  check(request, topicArn) {
    const message = snsMessage(request.body);
    if (message === 'missing') return 'signature_missing';
    if (message === 'malformed') return 'signature_malformed';
    if (!isSameText(message.topicArn, topicArn)) return 'signature_mismatch';
    const url = certificateUrl(message);
    if (url === null) return 'signature_malformed';
    const { version, signed, signature } = message;
    return checkRsa(request, {
      algorithm: version === '1' ? 'sha1' : 'sha256',
      ...{ signed, signature, url },
    });
  },
};

/** Returns the certificate's URL if it is SNS's in the topic's region, otherwise null. */
function certificateUrl({ certificateUrl: text, topicArn }: SnsMessage): string | null {
  const url = pinnedUrl(text, CERTIFICATE);
  return url?.host === hostOfTopic(topicArn) ? (url?.href ?? null) : null;
}
