import { generateKeyPairSync, sign } from 'node:crypto';
import https from 'node:https';
import { Readable } from 'node:stream';
import SnsPayloadValidator from 'sns-payload-validator';
import MessageValidator from 'sns-validator';
import type { FetchedKey } from '../../../src/providers/fetched-keys/fetched-key.ts';
import { certificateOf } from '../../fixtures/certificate.ts';
import type { Published, Signed, ToSign, Vector } from '../vector.ts';

/* https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */

const { privateKey: KEY } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CERTIFICATE = {
  url: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  text: certificateOf({
    commonName: 'sns.amazonaws.com',
    key: KEY,
    validFrom: Date.parse('2020-01-01'),
    validTo: Date.parse('2040-01-01'),
  }),
};
const SECRETS = {
  secret: 'arn:aws:sns:eu-west-1:123456789012:orders',
  otherSecret: 'arn:aws:sns:eu-west-1:210987654321:orders',
};

type Members = Record<string, string>;

/** Signs as the documentation says: the members by name, each name and value on a line. */
function signed(members: Members, version: '1' | '2', names: readonly string[]): Signed {
  const text = names.map((name) => `${name}\n${members[name]}\n`).join('');
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), KEY);
  return {
    headers: [],
    key: CERTIFICATE,
    body: Buffer.from(
      JSON.stringify(
        {
          Type: members.Type,
          MessageId: members.MessageId,
          ...members,
          SignatureVersion: version,
          Signature: signature.toString('base64'),
          SigningCertURL: CERTIFICATE.url,
        },
        null,
        2,
      ),
    ),
  };
}

function notification({ at }: ToSign, topicArn: string): Members {
  return {
    Type: 'Notification',
    MessageId: 'da41e39f-ea4d-435a-b922-c6aae3915ebe',
    TopicArn: topicArn,
    Timestamp: new Date(at).toISOString(),
    // The middle of the body is in it, where a test changes a byte.
    Message: `{"text":"Grüße, 🙂\\n","lines":"\r\n\tone${' and one more'.repeat(100)}"}`,
  };
}

const OF_NOTIFICATION = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'];
const WITH_SUBJECT = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const OF_CONFIRMATION = [
  ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
];

const VERSION_1: Vector = {
  ...SECRETS,
  name: 'version 1',
  header: null,
  headers: [['x-amz-sns-message-type', 'Notification']],
  body: '',
  isVerifiedOnly: true,
  sign: (request, secret) => signed(notification(request, secret), '1', OF_NOTIFICATION),
  unsigned: ({ body }) => {
    const { Signature: _, ...rest } = JSON.parse(String(body));
    return { headers: [], body: Buffer.from(JSON.stringify(rest)) };
  },
  async accepts({ body }, secret) {
    const message = JSON.parse(String(body));
    const isValid = await withCertificate(async () => {
      const ofAws = message.SignatureVersion === '1' ? await isValidByAws(message) : true;
      return ofAws && (await isValidByOthers(message));
    });
    // Both leave the topic to their callers.
    return isValid && message.TopicArn === secret;
  },
};

const VERSION_2: Vector = {
  ...VERSION_1,
  name: 'version 2',
  sign: (request, secret) => signed(notification(request, secret), '2', OF_NOTIFICATION),
};

const VECTORS = [
  VERSION_1,
  VERSION_2,
  {
    ...VERSION_2,
    name: 'a subject',
    sign: (request, secret) =>
      signed(
        { ...notification(request, secret), Subject: 'TopicArn: "orders"' },
        '2',
        WITH_SUBJECT,
      ),
  },
  {
    ...VERSION_2,
    name: 'a null subject',
    sign(request, secret) {
      const { body, ...rest } = signed(notification(request, secret), '2', OF_NOTIFICATION);
      const message = { ...JSON.parse(String(body)), Subject: null };
      return { ...rest, body: Buffer.from(JSON.stringify(message)) };
    },
  },
  {
    ...VERSION_2,
    name: 'a removed subscription',
    sign: (request, secret) =>
      signed(confirmation(request, secret, 'UnsubscribeConfirmation'), '2', OF_CONFIRMATION),
  },
  {
    ...VERSION_1,
    name: 'a subscription',
    sign: (request, secret) =>
      signed(confirmation(request, secret, 'SubscriptionConfirmation'), '1', OF_CONFIRMATION),
  },
] satisfies Vector[];

export default VECTORS;

/** One of the messages above, to a topic, and the certificate that verifies it. */
export function snsMessage(
  name: string,
  topicArn: string,
  at: number,
): { body: Buffer; key: FetchedKey } {
  const vector = VECTORS.find((one) => one.name === name) ?? VERSION_2;
  const toSign = { method: 'POST', url: '', body: Buffer.alloc(0), at };
  return vector.sign(toSign, topicArn) as { body: Buffer; key: FetchedKey };
}

function confirmation(request: ToSign, topicArn: string, type: string): Members {
  const token = '2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92768dd60a747ba6f3';
  const query = `Action=ConfirmSubscription&TopicArn=${topicArn}&Token=${token}`;
  return {
    ...notification(request, topicArn),
    Type: type,
    Token: token,
    SubscribeURL: `https://sns.eu-west-1.amazonaws.com/?${query}`,
  };
}

function isValidByAws(message: object): Promise<boolean> {
  return new Promise((resolve) => {
    new MessageValidator().validate(message as never, (error) => resolve(error === null));
  });
}

async function isValidByOthers(message: Members): Promise<boolean> {
  try {
    await new SnsPayloadValidator({ useCache: false }).validate(message as never);
    return true;
  } catch {
    return false;
  }
}

/** Both libraries fetch the certificate by `https.get`. */
async function withCertificate(check: () => Promise<boolean>): Promise<boolean> {
  const { get } = https;
  https.get = ((_: unknown, ...rest: unknown[]) => {
    const answer = Object.assign(Readable.from([CERTIFICATE.text]), { statusCode: 200 });
    const onAnswer = rest.at(-1) as (answer: Readable) => void;
    onAnswer(answer);
    return { on: () => {} };
  }) as never;
  try {
    return await check();
  } finally {
    https.get = get;
  }
}

const RUBY =
  'https://github.com/aws/aws-sdk-ruby/blob/version-3/gems/aws-sdk-sns/spec/message_verifier_spec.rb';
/** The certificate with which SNS signed the messages below, valid until August 2022. */
const OF_AWS = {
  url: 'https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem',
  text: `-----BEGIN CERTIFICATE-----
MIIF1zCCBL+gAwIBAgIQB9pYWG3Mi7xej22g9pobJTANBgkqhkiG9w0BAQsFADBG
MQswCQYDVQQGEwJVUzEPMA0GA1UEChMGQW1hem9uMRUwEwYDVQQLEwxTZXJ2ZXIg
Q0EgMUIxDzANBgNVBAMTBkFtYXpvbjAeFw0yMTA5MDcwMDAwMDBaFw0yMjA4MTcy
MzU5NTlaMBwxGjAYBgNVBAMTEXNucy5hbWF6b25hd3MuY29tMIIBIjANBgkqhkiG
9w0BAQEFAAOCAQ8AMIIBCgKCAQEAutFqueT3XgP13udzxE6UpbdjOtVO5DwoMpSM
iDNMnGzF1TYH5/R2LPUOBeTB0SkKnR4kpNcUZhicpGD4aKciz/GEZ6wu65xncfT9
H/KBOQwoXYTuClHwp6fYpGzcGFaFoEYMnijL/o4qmTSd+ukglQUgKpsDw4ofw6rU
m2CttJo+GQSNQ9NfGR1h/0J+zsApkeSYrXRx5wNlu87z8os1C/6PBrUHwt3xXeaf
Xzfwut8aRRYsS8BySOA9DAgLfNHlfdQCjKPXKrG/ussgReyWD6n/HH+j7Uha3xos
TzQqJifcxlTq6MxWdPR6fDaJNvqw6DOE7UjUNxHguXHlVfxhlQIDAQABo4IC6TCC
AuUwHwYDVR0jBBgwFoAUWaRmBlKge5WSPKOUByeWdFv5PdAwHQYDVR0OBBYEFAqz
C+vyouneE7mWWLbi9i0UsWUbMBwGA1UdEQQVMBOCEXNucy5hbWF6b25hd3MuY29t
MA4GA1UdDwEB/wQEAwIFoDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIw
OwYDVR0fBDQwMjAwoC6gLIYqaHR0cDovL2NybC5zY2ExYi5hbWF6b250cnVzdC5j
b20vc2NhMWIuY3JsMBMGA1UdIAQMMAowCAYGZ4EMAQIBMHUGCCsGAQUFBwEBBGkw
ZzAtBggrBgEFBQcwAYYhaHR0cDovL29jc3Auc2NhMWIuYW1hem9udHJ1c3QuY29t
MDYGCCsGAQUFBzAChipodHRwOi8vY3J0LnNjYTFiLmFtYXpvbnRydXN0LmNvbS9z
Y2ExYi5jcnQwDAYDVR0TAQH/BAIwADCCAX0GCisGAQQB1nkCBAIEggFtBIIBaQFn
AHYAKXm+8J45OSHwVnOfY6V35b5XfZxgCvj5TV0mXCVdx4QAAAF7vfDVkQAABAMA
RzBFAiEA2XfHuy36aqRFiaL8c3md2mH451go8707+fRE0pEdSRACIE/g5FXTUXUZ
PFcmOhm9TZ+uMY1i4CIQ/CKVWln6C3t+AHYAUaOw9f0BeZxWbbg3eI8MpHrMGyfL
956IQpoN/tSLBeUAAAF7vfDVjAAABAMARzBFAiBF1MhhFP0+FQt3daDFfMYoWwnr
muTInrjNpwfzlvQBugIhAPYadFzr+LaxSJoiZEbEHBvTts7bT0M3eCQONA2O7w6n
AHUAQcjKsd8iRkoQxqE6CUKHXk4xixsD6+tLx2jwkGKWBvYAAAF7vfDVdAAABAMA
RjBEAiAtPapmFAuA71ih4NoSd5hJelzAltNQpxDMcDfDyHyU8gIgWxmaa6+2KbBu
9xdv379zvnJACFR7jc+4asl08Dn4aagwDQYJKoZIhvcNAQELBQADggEBAA54QX0u
oFWXfMmv02CGZv4NWo5TapyeeixQ2kKpZHRdVZjxZrw+hoF6HD7P3kGjH8ztyJll
tDxB0qgMltbPhQdScwhA6iTgoaBYqEUC/VHKd4PmmPT6yIsM36NBZVmkGlzl5uNo
/dBgBaG0SsVJnhr5zro3c2quC7n6fVGEZhf/UgQwRnnvThnvbNKguglDMq4uEqv8
njKyleht+glkcmXO0m9qLKt6BOS0amy6U2GlAwRn0Wx02ndJtnRCSC6kPuRWK/SQ
FEjB7gCK4hdKaAOuWdZpI55vF6ifOeM8toC3g7ofO8qLTnJupAG+ZitY5J3cvHWr
HqOUdKigPDHYLRo=
-----END CERTIFICATE-----
`,
};
const AT_AWS = Date.parse('2022-07-28T21:24:10Z');

export const published: readonly Published[] = [
  {
    source: RUBY,
    secret:
      'arn:aws:sns:us-east-2:295079676684:publish-and-verify-892f85fe-4836-424d-8188-ab85bef0f362',
    headers: [],
    key: OF_AWS,
    receivedAt: AT_AWS,
    body: `{
  "Type" : "Notification",
  "MessageId" : "792cda85-518f-5dd3-9163-81d851212f3a",
  "TopicArn" : "arn:aws:sns:us-east-2:295079676684:publish-and-verify-892f85fe-4836-424d-8188-ab85bef0f362",
  "Message" : "Hello world",
  "Timestamp" : "2022-07-28T21:23:58.317Z",
  "SignatureVersion" : "1",
  "Signature" : "ghtf+deOBAzHJJZ6s6CdRLfTQAlcGzq9naoFM1wi0CJiq//uVRuZnamrkWNF0fhouMFvuLVRwcz8PZLUMSfnmd5VpdTKpTyiKmy1qJAZXma0w+yi7G+I33hD1Jyk1Nbym2n0kqp3fVu2aoooiN2ZeLAT2bH0/BtjLSfN1yAOKNoprco4qV9gGUZinXJdj9a1YdNhDR2jKi33ldlsVtEXAtiaDklGEk7DgRKX38GerBPiLg3FdtgY6KC7cdeGpU/dGK+4hjc83Ive1HoFkAwqhpgInM2sMytBosoiXfCmOKmU4xeGD0gHDNZTlJUJQDlzw8Eag0H9f/5zXF9d3uy0YQ==",
  "SigningCertURL" : "https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem",
  "UnsubscribeURL" : "https://sns.us-east-2.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=arn:aws:sns:us-east-2:295079676684:publish-and-verify-892f85fe-4836-424d-8188-ab85bef0f362:2296bc94-7992-4be1-b15f-b97229b5c1d8"
}`,
  },
  {
    source: RUBY,
    secret:
      'arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e',
    headers: [],
    key: OF_AWS,
    receivedAt: AT_AWS,
    body: `{
  "Type" : "Notification",
  "MessageId" : "17dea24b-55c2-540b-8362-f916557af765",
  "TopicArn" : "arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e",
  "Message" : "Hello world",
  "Timestamp" : "2022-07-28T21:24:08.324Z",
  "SignatureVersion" : "2",
  "Signature" : "CXVqp9PfZAL+4JHS3Zxo1PFbQsvnOjvmYhtIf17TWpwc+iIVas8kZ8GopuzVzVMdatE7rCl/O4P91Zp05Dwz8lk8dLhfp8gSu3Njlzxlyrmzo9x3va3Jb7zFnedgS2GKnZWHGBdwTXho+TosNUE+3e10OMSlwN5XGDwX7+R3WL+rn+AXmFAqp3alg27sYa55h1dLE9cGszGPjScPdtF3BmZsUDMx9wSdNKsCk+vSvE8yBjnCmUl7laSFj3LzPVrlSwgNYCF3kYnNAkah7NplK4SFhJYLwS0HCVCQJKa8rVbQLf9cBTu60U402mrgy0bN8xWoyimzbYbrOMJjalqkUg==",
  "SigningCertURL" : "https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem",
  "UnsubscribeURL" : "https://sns.us-east-2.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e:ad7d16e3-0a7c-46aa-b23e-ffaf02250cbe"
}`,
  },
  {
    source: 'the certificate must be valid when the request comes',
    secret:
      'arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e',
    headers: [],
    key: OF_AWS,
    receivedAt: Date.parse('2022-08-18T00:00:00Z'),
    reason: 'key_unavailable',
    body: `{
  "Type" : "Notification",
  "MessageId" : "17dea24b-55c2-540b-8362-f916557af765",
  "TopicArn" : "arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e",
  "Message" : "Hello world",
  "Timestamp" : "2022-07-28T21:24:08.324Z",
  "SignatureVersion" : "2",
  "Signature" : "CXVqp9PfZAL+4JHS3Zxo1PFbQsvnOjvmYhtIf17TWpwc+iIVas8kZ8GopuzVzVMdatE7rCl/O4P91Zp05Dwz8lk8dLhfp8gSu3Njlzxlyrmzo9x3va3Jb7zFnedgS2GKnZWHGBdwTXho+TosNUE+3e10OMSlwN5XGDwX7+R3WL+rn+AXmFAqp3alg27sYa55h1dLE9cGszGPjScPdtF3BmZsUDMx9wSdNKsCk+vSvE8yBjnCmUl7laSFj3LzPVrlSwgNYCF3kYnNAkah7NplK4SFhJYLwS0HCVCQJKa8rVbQLf9cBTu60U402mrgy0bN8xWoyimzbYbrOMJjalqkUg==",
  "SigningCertURL" : "https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem",
  "UnsubscribeURL" : "https://sns.us-east-2.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e:ad7d16e3-0a7c-46aa-b23e-ffaf02250cbe"
}`,
  },
];
