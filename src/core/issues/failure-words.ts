import { entryOf } from '../entry-of.ts';
import type { AttemptErrorCode } from '../model.ts';
import { clean } from '../text/words.ts';
import { OTHER_CODES } from './issue.ts';

/** What goes wrong with the attempts at a destination or a channel. */
export interface FailureWords {
  /** Follows the name: `billing refuses connections`. */
  does: string;
  /** A whole sentence. */
  means: string;
}

const WORDS: Record<AttemptErrorCode | typeof OTHER_CODES, FailureWords> = {
  dns_error: { does: 'has no address in DNS', means: "The host's name can't be looked up." },
  connect_refused: {
    does: 'refuses connections',
    means: 'The machine is up, and nothing listens on the port.',
  },
  connect_error: { does: "can't be reached", means: 'No connection to the host can be made.' },
  tls_error: {
    does: 'fails in the TLS handshake',
    means: "The host's certificate isn't accepted, or its port doesn't speak TLS.",
  },
  timeout: {
    does: "doesn't answer in time",
    means: 'The attempt had no complete answer before its deadline.',
  },
  reset: {
    does: 'closes connections early',
    means: 'The connection was closed before the answer was complete.',
  },
  blocked_address: {
    does: 'has an address that is not public',
    means: 'The server connects to no private addresses.',
  },
  invalid_response: {
    does: 'gives no valid answer',
    means: "The answer doesn't follow the protocol: most likely something else listens there.",
  },
  response_flood: {
    does: 'answers without an end',
    means: 'The answer was longer than any answer needs to be.',
  },
  invalid_path: {
    does: "can't take the path of an event",
    means: "The event's path would lead out of the destination's own.",
  },
  request_unreadable: {
    does: 'gets no event: a stored request is damaged',
    means: 'The database is damaged: the content differs from what was written.',
  },
  secret_unreadable: {
    does: "gets no event: its secret can't be opened",
    means: 'The key of the server has changed since the secret was stored.',
  },
  not_verified: {
    does: "gets no event: its sender isn't verified",
    means: "Only events that the endpoint's source has verified are signed as the provider signs.",
  },
  loop: {
    does: 'sends its events back to hookrelay',
    means: 'The request has come through more relays than any real path has.',
  },
  internal: { does: 'gets no event', means: 'hookrelay failed to send: its log has the cause.' },
  unknown: { does: "can't be reached", means: 'The attempts fail for a reason without a name.' },
  [OTHER_CODES]: {
    does: 'fails in many ways',
    means: 'It fails with so many different errors that these have one issue.',
  },
};

/** @param code an attempt's error code, `http_` and a status, or `OTHER_CODES` */
export function failureWords(code: string): FailureWords {
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) {
    return { does: `answers ${status}`, means: `The answer was ${status}.` };
  }
  const known = entryOf(WORDS as Record<string, FailureWords>, code);
  return known ?? { does: `fails: ${clean(code)}`, means: `The attempts end with ${clean(code)}.` };
}
