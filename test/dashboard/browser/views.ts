import type { Furnished } from './furnish.ts';

/** A view, its address, and the element that shows it is there. */
export type View = readonly [name: string, path: (of: Furnished) => string, ready: string];

/** Every view of a signed-in account. */
export const VIEWS: readonly View[] = [
  ['overview', () => '/', '.chart-svg'],
  ['overview of an hour', () => '/overview?range=hour', '.chart-sentence, .chart-svg'],
  ['endpoints', () => '/endpoints', '.endpoint-row .figure'],
  ['nothing', () => '/nope', '.empty'],
  ['events of all', () => '/events', '[role=option] .what'],
  [
    'an event among those of all',
    ({ heldId, copyId }) => `/events?endpoint=${heldId}&event=${copyId}`,
    '.json',
  ],
  ['events', ({ endpointId }) => `/endpoints/${endpointId}`, '[role=option] .what'],
  [
    'events by rule',
    ({ endpointId }) => `/endpoints/${endpointId}?where=body.id%3F&type=order.created`,
    '.filters .chip',
  ],
  ['an event', ({ endpointId, eventId }) => `/endpoints/${endpointId}/events/${eventId}`, '.json'],
  [
    'headers',
    ({ endpointId, eventId }) => `/endpoints/${endpointId}/events/${eventId}?tab=headers`,
    '.fields',
  ],
  [
    'query',
    ({ endpointId, eventId }) => `/endpoints/${endpointId}/events/${eventId}?tab=query`,
    '.detail-body .wrap',
  ],
  [
    'deliveries',
    ({ endpointId, eventId }) => `/endpoints/${endpointId}/events/${eventId}?tab=deliveries`,
    '.attempts',
  ],
  ['AI', ({ endpointId, eventId }) => `/endpoints/${endpointId}/events/${eventId}?tab=ai`, '.ai'],
  ['destinations', ({ endpointId }) => `/endpoints/${endpointId}/destinations`, '.chart-svg'],
  ['held destinations', ({ heldId }) => `/endpoints/${heldId}/destinations`, '.badge.is-dead'],
  ['all deliveries', ({ heldId }) => `/endpoints/${heldId}/deliveries`, '.delivery-list .next'],
  [
    'deliveries that wait',
    ({ heldId, heldEventId }) => `/endpoints/${heldId}/events/${heldEventId}?tab=deliveries`,
    '.next',
  ],
  ['bulk replays', ({ heldId }) => `/endpoints/${heldId}/replays`, '.delivery-list .badge'],
  [
    'an edited copy',
    ({ heldId, copyId }) => `/endpoints/${heldId}/events/${copyId}?tab=deliveries`,
    '.summary a',
  ],
  ['types', ({ endpointId }) => `/endpoints/${endpointId}/types`, '.types td'],
  ['a schema', ({ endpointId }) => `/endpoints/${endpointId}/types?type=push`, '.snippets pre'],
  ['test events', ({ endpointId }) => `/endpoints/${endpointId}/try`, '.samples li'],
  ['settings', ({ endpointId }) => `/endpoints/${endpointId}/settings`, '.danger'],
  ['a source', ({ heldId }) => `/endpoints/${heldId}/settings`, '#field-provider'],
  [
    'verdicts in a list',
    ({ heldId }) => `/endpoints/${heldId}?verification=failed&duplicates=hide`,
    '[role=option] .proof',
  ],
  [
    'a forged event',
    ({ heldId, forgedId }) => `/endpoints/${heldId}/events/${forgedId}`,
    '.summary .proof.is-failed',
  ],
  [
    'a repeat',
    ({ heldId, repeatId }) => `/endpoints/${heldId}/events/${repeatId}`,
    '.summary .badge.is-failed',
  ],
  ['rejected requests', ({ heldId }) => `/endpoints/${heldId}/rejected`, '.rejected-list a'],
  [
    'a rejected request',
    ({ heldId, rejectedId }) => `/endpoints/${heldId}/rejected/${rejectedId}`,
    '.json',
  ],
  [
    'a comparison',
    ({ endpointId, eventId, otherId }) => `/endpoints/${endpointId}/compare/${eventId}/${otherId}`,
    '.diff',
  ],
  ['issues', () => '/issues', '.issue-row'],
  ['an issue', ({ issueId }) => `/issues/${issueId}`, '.issue-facts'],
  ['alerts', () => '/account/alerts', '.rows .channel'],
  ['tokens', () => '/account/tokens', '.rows li'],
  ['sessions', () => '/account/sessions', '.password-form'],
  ['audit', () => '/account/audit', '.audit-row'],
  ['system', () => '/account/system', '.system-figures'],
];
