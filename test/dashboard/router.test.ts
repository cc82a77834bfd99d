import { beforeAll, describe, expect, test, vi } from 'vitest';

/* Which view an address selects. */

let viewOf: typeof import('../../src/dashboard/model/router.ts')['viewOf'];

beforeAll(async () => {
  // The module reads the address when it is loaded.
  vi.stubGlobal('location', { pathname: '/', search: '' });
  vi.stubGlobal('window', new EventTarget());
  ({ viewOf } = await import('../../src/dashboard/model/router.ts'));
});

const at = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://page.test');
  return viewOf({ path: pathname, query: searchParams });
};
const endpoint = (tab: string, itemId: string | null = null) => ({
  kind: 'endpoint',
  endpointId: 'ep_1',
  tab,
  itemId,
});

describe('an address selects a view', () => {
  test.each([
    ['/', { kind: 'overview' }],
    ['/overview?range=day', { kind: 'overview' }],
    ['/setup', { kind: 'overview' }],
    ['/login', { kind: 'overview' }],
    ['/events', { kind: 'events', eventId: null }],
    ['/events?event=evt_1&q=a', { kind: 'events', eventId: 'evt_1' }],
    ['/events/evt_1', { kind: 'event', eventId: 'evt_1' }],
    ['/issues', { kind: 'issues', issueId: null }],
    ['/issues/iss_1', { kind: 'issues', issueId: 'iss_1' }],
    ['/endpoints', { kind: 'endpoints' }],
    ['/endpoints/', { kind: 'endpoints' }],
    ['/endpoints/ep_1', endpoint('events')],
    ['/endpoints/ep_1/events', endpoint('events')],
    ['/endpoints/ep_1/events/evt_1', endpoint('events', 'evt_1')],
    ['/endpoints/ep_1/destinations/dst_1', endpoint('destinations', 'dst_1')],
    ['/endpoints/ep_1/source', endpoint('source')],
    ['/endpoints/ep_1/rejected/req_1', endpoint('rejected', 'req_1')],
    [
      '/endpoints/ep_1/compare/evt_1/evt_2',
      { kind: 'compare', endpointId: 'ep_1', left: 'evt_1', right: 'evt_2' },
    ],
    ['/account', { kind: 'account', section: null }],
    ['/account/system', { kind: 'account', section: 'system' }],
  ])('%s', (address, view) => {
    expect(at(address)).toEqual(view);
  });

  test.each([
    '/nope',
    '/account/x',
    '/account/tokens/x',
    '/overview/x',
    '/issues/a/b',
    '/events/a/b',
    '/endpoints/ep_1/nope',
    '/endpoints/ep_1/types/x',
    '/endpoints/ep_1/events/evt_1/x',
    '/endpoints/ep_1/compare/evt_1',
  ])('%s selects nothing', (address) => {
    expect(at(address)).toEqual({ kind: 'nothing' });
  });
});
