import { entryOf } from '../entry-of.ts';
import type { AttemptErrorCode } from '../model.ts';
import { clean } from '../text/words.ts';
import { OTHER_CODES } from './issue.ts';

/** Texts that describe a failure at a destination or a channel. */
export interface FailureWords {
  /** The end of a sentence that begins with the name: `billing refuses connections`. */
  does: string;
  /** A whole sentence. */
  means: string;
}

const WORDS: Record<AttemptErrorCode | typeof OTHER_CODES, FailureWords> = {
  dns_error: { does: 'has no address in DNS', means: "The host's name doesn't resolve." },
  connect_refused: {
    does: 'refuses connections',
    means: 'The machine is up, but nothing listens on the port.',
  },
  connect_error: { does: "can't be reached", means: 'No connection to the host succeeds.' },
  tls_error: {
    does: 'fails in the TLS handshake',
    means: "hookrelay doesn't accept the host's certificate, or the port doesn't speak TLS.",
  },
  timeout: {
    does: "doesn't answer in time",
    means: 'No complete answer came before the deadline.',
  },
  reset: {
    does: 'closes connections early',
    means: 'The connection closed before the answer was complete.',
  },
  blocked_address: {
    does: 'has an address that is not public',
    means: "This server doesn't connect to private addresses.",
  },
  invalid_response: {
    does: 'gives no valid answer',
    means: "The answer doesn't follow the protocol. Most likely something else listens there.",
  },
  response_flood: {
    does: 'sends endless answers',
    means: 'The answer was longer than any answer needs to be.',
  },
  invalid_path: {
    does: "can't take the path of an event",
    means: "The event's path would lead out of the destination's path.",
  },
  request_unreadable: {
    does: 'gets no events: a stored request is damaged',
    means: "The database is damaged: the stored request doesn't match its checksum.",
  },
  secret_unreadable: {
    does: "gets no events: its secret can't be opened",
    means: "The server's key has changed since the secret was stored.",
  },
  not_verified: {
    does: "gets no events: the sender isn't verified",
    means: "hookrelay signs as the provider does only events that the endpoint's source verified.",
  },
  loop: {
    does: 'sends its events back to hookrelay',
    means: 'The request came through more relays than any real path has.',
  },
  internal: { does: 'gets no events', means: 'hookrelay failed to send. Its log has the cause.' },
  unknown: { does: "can't be reached", means: 'The attempts fail for an unknown reason.' },
  [OTHER_CODES]: {
    does: 'fails in many ways',
    means: 'It fails with so many different statuses that this issue covers the rest.',
  },
};

/** @param code an attempt's error code, `http_` with a status, or `OTHER_CODES` */
export function failureWords(code: string): FailureWords {
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) {
    return { does: `answers ${status}`, means: `The answer was ${status}.` };
  }
  const known = entryOf(WORDS as Record<string, FailureWords>, code);
  return known ?? { does: `fails: ${clean(code)}`, means: `The attempts end with ${clean(code)}.` };
}
