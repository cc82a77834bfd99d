import { accepted } from '../handshaking/answers.ts';
import { headRequest } from '../handshaking/head-request.ts';
import type { Handshake } from '../provider.ts';

const EMPTY_BATCH = /^mandrill_events=(?:\[\]|%5B%5D)$/i;

/**
 * Mandrill sends a HEAD request. If the answer isn't a success, Mandrill sends a POST of an empty
 * batch, signed with the publicly known key `test-webhook`.
 *
 * https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/
 * https://mandrill.zendesk.com/hc/en-us/articles/360038740014
 */
export const mandrillHandshakes: readonly Handshake[] = [
  headRequest('Mandrill checks that this URL exists.'),
  {
    method: 'POST',
    matches: ({ body }) => body.length <= 64 && EMPTY_BATCH.test(body.toString('latin1')),
    answer: () => accepted(),
    purpose: 'Mandrill checks that this URL exists. The batch is empty.',
  },
];
