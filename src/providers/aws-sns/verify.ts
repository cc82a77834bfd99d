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
 * An RSA signature of the message's members, by the SNS certificate at `SigningCertURL`. SNS signs
 * for every owner of a topic, so the TopicArn identifies the sender.
 *
 * AWS's own validators verify no chain of the certificate: TLS proves the host, which only SNS has.
 * The region of that host must be the topic's.
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

/** Null for a URL that SNS doesn't have in the topic's region. */
function certificateUrl({ certificateUrl: text, topicArn }: SnsMessage): string | null {
  const url = pinnedUrl(text, CERTIFICATE);
  return url?.host === hostOfTopic(topicArn) ? (url?.href ?? null) : null;
}
