import { memberAt } from '../member-at.ts';
import { jsonBody } from '../signing/json-body.ts';

/** The parts of a message from SNS that its signature covers. */
export interface SnsMessage {
  type: (typeof TYPES)[number];
  topicArn: string;
  /** The text that is signed. */
  signed: string;
  signature: string;
  /** `1` signs with SHA-1, `2` with SHA-256. */
  version: '1' | '2';
  certificateUrl: string;
  /** Null if the message isn't a confirmation. */
  subscribeUrl: string | null;
}

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;

/** Members that the signature covers, in the order in which they are signed. */
const OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const OF_CONFIRMATION = [
  ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
];
const UNSIGNED = ['Signature', 'SignatureVersion', 'SigningCertURL'];

/**
 * The largest body to read. A message has at most 256 KiB, but JSON escapes make it longer.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
 */
const MOST_BYTES = 2 * 1024 * 1024;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

const read = new WeakMap<Buffer, SnsMessage | 'missing' | 'malformed'>();

/**
 * Reads a message from a body. Returns `missing` if the body has no signature, as with raw message
 * delivery. Returns `malformed` for a message that SNS wouldn't send.
 */
export function snsMessage(body: Buffer): SnsMessage | 'missing' | 'malformed' {
  const known = read.get(body);
  if (known) return known;
  const message = readMessage(body);
  read.set(body, message);
  return message;
}

function readMessage(body: Buffer): SnsMessage | 'missing' | 'malformed' {
  if (body.length > MOST_BYTES) return 'missing';
  const value = jsonBody(body);
  const member = (name: string) => memberAt(value, name);
  if (member('Signature') === undefined || member('SigningCertURL') === undefined) return 'missing';
  const type = TYPES.find((one) => one === member('Type'));
  const version = (['1', '2'] as const).find((one) => one === member('SignatureVersion'));
  if (!type || !version) return 'malformed';
  const isConfirmation = type !== 'Notification';
  const names = isConfirmation ? OF_CONFIRMATION : OF_NOTIFICATION;
  const present = names.filter((name) => name !== 'Subject' || isPresent(member('Subject')));
  if (![...present, ...UNSIGNED].every((name) => typeof member(name) === 'string')) {
    return 'malformed';
  }
  const at = (name: string) => member(name) as string;
  // The signed text has each name and value on a line. With a line break, one value could pass for
  // several. A message to another topic could then be presented as one to this topic.
  if (present.some((name) => name !== 'Message' && /[\r\n]/.test(at(name)))) return 'malformed';
  // A repeated member is ambiguous: some readers take the first one, and some the last.
  if (memberCount(body.toString('utf8')) !== Object.keys(value as object).length) {
    return 'malformed';
  }
  return {
    type,
    version,
    topicArn: at('TopicArn'),
    signed: present.map((name) => `${name}\n${at(name)}\n`).join(''),
    signature: at('Signature'),
    certificateUrl: at('SigningCertURL'),
    subscribeUrl: isConfirmation ? at('SubscribeURL') : null,
  };
}

/**
 * A message that a queue has passed on has null instead of an absent subject. Null isn't signed.
 */
function isPresent(subject: unknown): boolean {
  return subject !== undefined && subject !== null;
}

/** Returns the number of top-level members of a JSON object. Counts a repeated member each time. */
function memberCount(text: string): number {
  let depth = 0;
  let members = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) members++;
  }
  return members;
}
