import { seededRandom } from '../../fixtures/random.ts';
import { type PayloadValues, payload } from './payload.ts';
import { randomUuid } from './random-uuid.ts';

/*
 * The events for measurements of lists and searches: bodies similar enough to give
 * the trigram index work. Ids are random, addresses combine common names, and the
 * text uses the same few hundred words.
 */

/** A word in every body. */
export const WORD_IN_ALL = 'customer_email';
/**
 * A word in about this share of the bodies, slightly below the share where the
 * product prefers a scan (0.2).
 */
export const WORD_IN_SOME = 'uncollectible';
const WORD_IN_SOME_SHARE = 0.15;
/** A word in no body, though every body has all its trigrams. */
export const ABSENT_OF_COMMON_TRIGRAMS = 'customer_name":"eur';
/** A word in no body, and neither are its trigrams. */
export const ABSENT = 'Zyxqj%Kvwpb';

/** Events of one customer, who has one address. */
const EVENTS_PER_CUSTOMER = 20;
/** Bodies with an escape: they are matched as received and decoded. */
const ESCAPED_SHARE = 0.1;
const WORDS_PER_BODY = 60;

const FIRST = 'olivia noah emma liam ava ethan mia lucas zoe felix ines jonas lea paul nora hugo';
const LAST = 'martin schmidt rossi garcia novak jensen dubois weber silva kowalski moore chen';
const HOSTS = 'example.com mail.example.org example.net post.example.com inbox.example.org';
const TYPES =
  'invoice.paid invoice.created invoice.finalized customer.updated charge.succeeded charge.failed payout.paid';
const WORDS =
  'account active address after amount annual approved archive available balance bank before billing card cash change charge city client company complete contract country coupon created credit currency daily date delivery department deposit detail discount document due early email end entry error estimate exchange expired export failed fee field file final first form free from full general gift group history home hour image import income initial item january keep label large last late left letter limit line list local long manual market match member message method minute mobile month monthly name new next note notice number offer office open option order other owner package page paid part partner payment pending period phone plan point policy post price print process product profile public quantity quarter quote rate ready reason receipt record reference refund region renewal report request result return review round sales sample save schedule seat second security send service session settings share shipping short sign simple single size small source standard start state status stock store street subject subscription summary supply support table target task tax team term test text ticket time title today token total trade transfer trial type unit update usage user valid value vendor view week weekly work year yearly zone';

const firstNames = FIRST.split(' ');
const lastNames = LAST.split(' ');
const hosts = HOSTS.split(' ');
const types = TYPES.split(' ');
const words = WORDS.split(' ');

export interface StoredBody {
  text: string;
  uuid: string;
  email: string;
}

/** Creates the bodies of `count` events, always the same ones. */
export function* storedBodies(count: number): Generator<StoredBody> {
  const random = seededRandom(count);
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] as string;
  const customers = Math.max(1, Math.floor(count / EVENTS_PER_CUSTOMER));
  for (let i = 0; i < count; i++) {
    const values = customerOf(Math.floor(random() * customers));
    const uuid = randomUuid(random);
    const text = payload({
      ...values,
      uuid,
      type: pick(types),
      status: random() < WORD_IN_SOME_SHARE ? WORD_IN_SOME : 'paid',
      amount: String(Math.floor(random() * 1_000_000)),
      description: description(pick, random() < ESCAPED_SHARE),
    });
    yield { text, uuid, email: values.email };
  }
}

/** The same in about 100 bytes: an id and an address. */
export function* shortBodies(count: number): Generator<StoredBody> {
  const random = seededRandom(count);
  for (let i = 0; i < count; i++) {
    const uuid = randomUuid(random);
    const email = `user${uuid.slice(0, 8)}@example.com`;
    yield { text: `{"id":"${uuid}","customer_email":"${email}"}`, uuid, email };
  }
}

/** Deterministic for each number, without keeping fifty thousand of them. */
function customerOf(number: number): Pick<PayloadValues, 'customer' | 'email' | 'name'> {
  const random = seededRandom(number + 1);
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] as string;
  const first = pick(firstNames);
  const last = pick(lastNames);
  return {
    customer: randomUuid(random),
    email: `${first}.${last}${number}@${pick(hosts)}`,
    name: `${first} ${last}`,
  };
}

function description(pick: (from: string[]) => string, escaped: boolean): string {
  const text = Array.from({ length: WORDS_PER_BODY }, () => pick(words));
  return escaped ? text.join(' ').replace(' ', '\\n') : text.join(' ');
}
