import { seededRandom } from '../../fixtures/random.ts';
import { loadPayload } from './payload.ts';
import { randomUuid } from './random-uuid.ts';

/** Length of the values that differ, which is always the same. */
const UUID_LENGTH = 36;
const EMAIL_LENGTH = 'user00000000@example.com'.length;

const UUID = '<uuid>';
const EMAIL = '<email>';
const LINE_TEXT =
  'Seats of the team plan, prorated from the day of the change to the end of the period';

/**
 * The body that load generators send, split at the values that differ: an id and an
 * e-mail address go in between. Sending is then copying, even with a body of
 * megabytes.
 */
export interface LoadTemplate {
  beforeUuid: string;
  betweenBoth: string;
  afterEmail: string;
  /** Size of a whole body, which is all ASCII. */
  bytes: number;
}

/** @param bytes approximate size; 0 for the usual one of about 1 KB */
export function loadTemplate(bytes = 0): LoadTemplate {
  const text = withLines(loadPayload(UUID, EMAIL), bytes);
  const [beforeUuid, rest] = cut(text, UUID);
  const [betweenBoth, afterEmail] = cut(rest, EMAIL);
  const fixed = beforeUuid.length + betweenBoth.length + afterEmail.length;
  return { beforeUuid, betweenBoth, afterEmail, bytes: fixed + UUID_LENGTH + EMAIL_LENGTH };
}

export function bodyOf(template: LoadTemplate, uuid: string): string {
  const email = `user${uuid.slice(0, 8)}@example.com`;
  return template.beforeUuid + uuid + template.betweenBoth + email + template.afterEmail;
}

/** Fills an object with invoice lines, each with its own id. */
function withLines(object: string, bytes: number): string {
  const random = seededRandom(bytes);
  const lines: string[] = [];
  for (let length = object.length; length < bytes; ) {
    const amount = Math.floor(random() * 1_000_000);
    const line = `{"id":"${randomUuid(random)}","amount":${amount},"description":"${LINE_TEXT}"}`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.length === 0 ? object : `${object.slice(0, -1)},"line_items":[${lines.join(',')}]}`;
}

function cut(text: string, at: string): [string, string] {
  const [before, after] = text.split(at);
  return [before as string, after as string];
}
