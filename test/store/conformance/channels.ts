import { describe, expect, test } from 'vitest';
import { type Channel, INTERNAL_USER } from '../../../src/core/channels/channel.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Issue } from '../../../src/core/issues/issue.ts';
import type { NewChannel } from '../../../src/store/contract/channels.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { fold, newChannel, newIssue, saved, scopeOf } from './issue-rows.ts';
import { CLAIM_NOTHING, clearedWorlds, type OpenStore, only, type World } from './world.ts';

const message = (
  world: World,
  { key, publicToken }: Pick<Channel, 'key' | 'publicToken'>,
  body = '{}',
) => ({
  ...{ id: newId('msg', world.now), channelKey: key, publicToken },
  ...{ contentType: 'application/json', body, createdAt: world.now },
});

export function channelConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('a channel is found as it was added, also after a restart', async () => {
    const world = await begin();
    const { id: userId } = await world.user();
    const channel = newChannel(world, userId, {
      ...{ type: 'email', target: 'ops@example.com', kinds: ['silence', 'delivery'] },
      ...{ endpointIds: ['ep_1'], confirmedAt: null, confirmHash: Buffer.alloc(32, 7) },
      confirmSentAt: 5,
    });
    const { endpoint, destination, ...own } = channel;
    const added = await world.store.channels.add(channel, MANY);
    expect(added).toEqual({
      ...{ ...own, key: expect.any(Number), confirmHash: expect.anything() },
      ...{ endpointKey: expect.any(Number), destinationKey: expect.any(Number) },
      ...{ publicToken: endpoint.publicToken, destinationId: destination.id },
    });
    const check = async () => {
      const { channels, endpoints, destinations } = world.store;
      const found = await channels.find(userId, channel.id);
      expect(found).toEqual(added);
      expect(Buffer.from(found?.confirmHash ?? [])).toEqual(Buffer.alloc(32, 7));
      expect(await channels.list(userId)).toEqual([added]);
      expect(await channels.findByConfirmation(Buffer.alloc(32, 7))).toEqual(added);
      expect(await channels.findByConfirmation(Buffer.alloc(32, 8))).toBeNull();
      expect(await endpoints.findByPublicToken(endpoint.publicToken)).toMatchObject({
        ...{ key: added.endpointKey, userId: INTERNAL_USER.id, id: endpoint.id },
      });
      const stored = await destinations.get(added.endpointKey, destination.id);
      expect(stored).toMatchObject({
        ...{ key: added.destinationKey, url: destination.url, settings: destination.settings },
      });
      expect(Buffer.from(stored?.sealedSecret ?? [])).toEqual(Buffer.from('sealed'));
    };
    await check();
    await world.reopen();
    await check();
  });

  test('they are listed newest first, each account its own, up to the limit', async () => {
    const world = await begin();
    const [{ id: userId }, { id: stranger }] = [await world.user(), await world.user()];
    const { channels } = world.store;
    const first = await channels.add(newChannel(world, userId), 2);
    const second = await channels.add(newChannel(world, userId), 2);
    await expect(channels.add(newChannel(world, userId), 2)).rejects.toMatchObject({
      code: 'limit_reached',
    });
    const other = await channels.add(newChannel(world, stranger), 2);
    expect((await channels.list(userId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await channels.list(stranger)).toEqual([other]);
    expect(await channels.find(stranger, first.id)).toBeNull();
    expect(await channels.update(stranger, first.id, { target: 'x' })).toBeNull();
    expect(await channels.remove(stranger, first.id, world.now)).toBe(false);
    expect(await channels.find(userId, first.id)).toEqual(first);
  });

  test('an update changes what it names; a new target reaches the destination', async () => {
    const world = await begin();
    const { id: userId } = await world.user();
    const { channels, destinations } = world.store;
    const added = await channels.add(newChannel(world, userId), MANY);
    const kinds = ['silence'] as const;
    expect(await channels.update(userId, added.id, { kinds, endpointIds: [] })).toEqual({
      ...{ ...added, kinds, endpointIds: [] },
    });
    const destination = () => destinations.get(added.endpointKey, added.destinationId);
    const before = await destination();
    const hash = Buffer.alloc(32, 1);
    const target = 'ops@example.com';
    const changed = await channels.update(userId, added.id, {
      ...{ target, url: `mailto:${target}`, confirmedAt: null, confirmHash: hash },
      ...{ kinds: null, confirmSentAt: 9 },
    });
    expect(changed).toMatchObject({
      ...{ target, kinds: null, endpointIds: [], confirmedAt: null, confirmSentAt: 9 },
    });
    expect(await channels.findByConfirmation(hash)).toEqual(changed);
    const after = await destination();
    expect(after).toEqual({ ...before, url: `mailto:${target}`, version: expect.any(Number) });
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    await channels.update(userId, added.id, { sealedSecret: Buffer.from('new') });
    const sealed = (await destination())?.sealedSecret;
    expect(Buffer.from(sealed ?? [])).toEqual(Buffer.from('new'));
    expect(await channels.update(userId, 'chn_none', { target })).toBeNull();
  });

  test('URLs of Slack that stand in clear are sealed slice by slice, also where attempts have them', async () => {
    const world = await begin();
    const { id: userId } = await world.user();
    const { store } = world;
    const clearUrl = (i: number) => `https://hooks.slack.com/services/T0/B${i}/secret`;
    const slack = (i: number): Partial<NewChannel> => {
      const made = newChannel(world, userId);
      const url = clearUrl(i);
      return { type: 'slack', target: url, destination: { ...made.destination, url } };
    };
    await store.channels.add(newChannel(world, userId), MANY);
    const added = [
      await store.channels.add(newChannel(world, userId, slack(0)), MANY),
      await store.channels.add(newChannel(world, userId, slack(1)), MANY),
    ] as const;
    const internal = await store.endpoints.findByPublicToken(added[0].publicToken);
    if (!internal) throw new Error('no internal endpoint');
    const { seq } = await world.event(internal);
    const settlement = world.settlement(only(await world.claimDue()), 'succeeded');
    const attempt = { ...settlement.attempt, destinationUrl: clearUrl(0) };
    await store.queue.settle([{ ...settlement, attempt }], BREAKER);
    const clear = await store.channels.unsealed(10);
    expect(clear).toEqual(
      added.map(({ key, endpointKey, destinationKey, destinationId }, i) => ({
        ...{ key, endpointKey, destinationKey, destinationId },
        url: clearUrl(i),
      })),
    );
    const sealed = (await store.channels.unsealed(1)).map((one) => ({
      ...one,
      sealedUrl: Buffer.from('sealed URL'),
    }));
    await store.channels.seal(sealed);
    await world.reopen();
    expect(await world.store.channels.unsealed(10)).toEqual([clear[1]]);
    const masked = 'https://hooks.slack.com/********';
    const check = async () => {
      const { destinationId, endpointKey, id } = added[0];
      const found = await world.store.destinations.get(endpointKey, destinationId);
      expect(found).toMatchObject({ url: masked, version: 2 });
      expect(Buffer.from(found?.sealedUrl ?? [])).toEqual(Buffer.from('sealed URL'));
      expect(await world.store.channels.find(userId, id)).toMatchObject({ target: masked });
    };
    await check();
    expect(only(await world.store.events.attempts(seq)).destinationUrl).toBe(masked);
    // One that has another URL by now stays.
    const [other] = clear.slice(1).map((one) => ({ ...one, sealedUrl: Buffer.from('late') }));
    const moved = { target: masked, url: masked, sealedUrl: Buffer.from('new') };
    await world.store.channels.update(userId, added[1].id, moved);
    await world.store.channels.seal(other ? [other] : []);
    await world.store.channels.seal(sealed);
    await check();
    const kept = await world.store.destinations.get(added[1].endpointKey, added[1].destinationId);
    expect(Buffer.from(kept?.sealedUrl ?? [])).toEqual(Buffer.from('new'));
    expect(await world.store.channels.unsealed(10)).toEqual([]);
  });

  test('a confirmation confirms the address that it was sent to, once', async () => {
    const world = await begin();
    const { id: userId } = await world.user();
    const { channels } = world.store;
    const hashes = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
    const unconfirmed = { confirmedAt: null, confirmHash: hashes[0], confirmSentAt: 1 };
    const email = { type: 'email', target: 'a@example.com', ...unconfirmed } as const;
    const { id } = await channels.add(newChannel(world, userId, email), MANY);
    expect(await channels.confirm(hashes[1], 5)).toBeNull();
    const target = 'b@example.com';
    const moved = { target, url: `mailto:${target}`, confirmedAt: null, confirmHash: hashes[1] };
    await channels.update(userId, id, moved);
    expect(await channels.confirm(hashes[0], 5)).toBeNull();
    expect(await channels.find(userId, id)).toMatchObject({ target, confirmedAt: null });
    const confirmed = await channels.confirm(hashes[1], 5);
    expect(confirmed).toMatchObject({ id, target, confirmedAt: 5, confirmHash: null });
    expect(await channels.find(userId, id)).toEqual(confirmed);
    expect(await channels.confirm(hashes[1], 6)).toBeNull();
  });

  test('of a confirmation and a change at once, neither undoes the other', async () => {
    const world = await begin();
    const { id: userId } = await world.user();
    const { channels } = world.store;
    for (let round = 0; round < 10; round++) {
      const hash = Buffer.alloc(32, 2 * round);
      const unconfirmed = { confirmedAt: null, confirmHash: hash };
      const email = { type: 'email', target: 'a@example.com', ...unconfirmed } as const;
      const { id } = await channels.add(newChannel(world, userId, email), MANY);
      const other = Buffer.alloc(32, 2 * round + 1);
      const target = 'b@example.com';
      const moved = { target, url: `mailto:${target}`, confirmedAt: null, confirmHash: other };
      const isMoved = round % 2 === 0;
      const patch = isMoved ? moved : { kinds: ['silence'] as const };
      const [confirmed] = await Promise.all([
        channels.confirm(hash, 5),
        channels.update(userId, id, patch),
      ]);
      if (confirmed) expect(confirmed).toMatchObject({ target: 'a@example.com', confirmedAt: 5 });
      expect(await channels.find(userId, id)).toMatchObject(
        isMoved
          ? { target, confirmedAt: null, confirmHash: expect.anything() }
          : { kinds: ['silence'], confirmedAt: 5, confirmHash: null },
      );
    }
  });

  test('the account of internal endpoints is nobody: it isn’t counted and nobody finds it', async () => {
    const world = await begin();
    const { accounts, channels } = world.store;
    const { id: userId } = await world.user();
    const endpoint = await world.endpoint({ userId });
    const count = await accounts.countUsers();
    await channels.add(newChannel(world, userId), MANY);
    await channels.add(newChannel(world, userId), MANY);
    expect(await accounts.countUsers()).toBe(count);
    expect(await accounts.findUserByEmail(INTERNAL_USER.email)).toBeNull();
    expect(await world.store.endpoints.list(userId)).toEqual([endpoint]);
  });

  describe('messages', () => {
    test('wait in their order until they are captured, also over a restart', async () => {
      const world = await begin();
      const { id: userId } = await world.user();
      const { channels } = world.store;
      const [one, two] = [
        await channels.add(newChannel(world, userId), MANY),
        await channels.add(newChannel(world, userId), MANY),
      ];
      const first = message(world, two, '"ü\n"');
      const second = message(world, one);
      const third = { ...message(world, two), contentType: 'text/plain' };
      await world.store.issues.queue([first, second]);
      // Queued twice, it waits once.
      await world.store.issues.queue([second, third]);
      const shown = [first, second, third];
      expect(await world.store.issues.queued(10)).toEqual(shown);
      expect(await world.store.issues.queued(2)).toEqual(shown.slice(0, 2));
      await world.reopen();
      await world.store.issues.captured([first.id, third.id, 'msg_none']);
      expect(await world.store.issues.queued(10)).toEqual(shown.slice(1, 2));
    });

    test('are queued in the commit that says what they tell, or not at all', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      const { issues, channels } = world.store;
      const channel = await channels.add(newChannel(world, endpoint.userId), MANY);
      const now = world.now;
      const [late, early, future] = await saved(world, [
        newIssue(world, endpoint, destination, { notifyAt: now }),
        newIssue(world, endpoint, null, {
          ...{ notifyAt: now - 1, explanation: { cause: 'a', suggestion: 'b' } },
        }),
        newIssue(world, endpoint, destination, { subject: 'b', notifyAt: now + 1 }),
      ]);
      if (!late || !early || !future) throw new Error('three');
      const due = await issues.toNotify(now, 10, []);
      expect(due.map(({ issue }) => issue)).toEqual([early, late]);
      expect(due[1]).toMatchObject({
        endpoint: { id: endpoint.id },
        destination: { id: destination.id },
      });
      expect(await issues.toNotify(now, 1, [])).toHaveLength(1);
      expect(await issues.toNotify(now, 10, ['usr_none', endpoint.userId])).toEqual([]);
      expect(await issues.toNotify(now, 10, ['usr_none'])).toEqual(due);
      const told = ({ key, state, notifyAt }: Issue) =>
        ({
          key,
          due: { state, notifyAt },
          notified: 'open',
          notifiedAt: now,
          notifyAt: null,
        }) as const;
      const explanation = { cause: 'It is down.', suggestion: 'Start it.' };
      const ofLate = { ...told(late), explanation };
      const ofEarly = told(early);
      const messages = [message(world, channel)];
      for (const due of [
        { ...ofEarly.due, state: 'resolved' as const },
        { ...ofEarly.due, notifyAt: now },
      ])
        expect(await issues.saveNotified([ofLate, { ...ofEarly, due }], messages)).toBe(false);
      expect(await issues.queued(10)).toEqual([]);
      expect(await issues.toNotify(now, 10, [])).toHaveLength(2);
      expect(await issues.notifiedSince(endpoint.userId, 0)).toBe(0);
      // A cause that counts on may be told.
      expect(await issues.save(fold({ changed: [{ ...early, count: 9 }] }))).toBe(true);
      expect(await issues.saveNotified([ofLate, ofEarly], messages)).toBe(true);
      expect(await issues.queued(10)).toMatchObject(messages);
      expect(await issues.toNotify(now, 10, [])).toEqual([]);
      const after = { notified: 'open', notifiedAt: now, notifyAt: null, version: 2 };
      expect(await issues.byCauses([late])).toEqual([{ ...late, ...after, explanation }]);
      expect(await issues.byCauses([early])).toEqual([
        { ...early, ...after, count: 9, version: 3 },
      ]);
      expect(await issues.byCauses([future])).toEqual([future]);
      expect(await issues.saveNotified([ofLate], messages)).toBe(false);
      expect(await issues.notifiedSince(endpoint.userId, now)).toBe(2);
      expect(await issues.notifiedSince(endpoint.userId, now + 1)).toBe(0);
      expect(await issues.notifiedSince((await world.user()).id, 0)).toBe(0);
    });

    test('at once: of the same basis, one is told', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const { issues, channels } = world.store;
      const channel = await channels.add(newChannel(world, endpoint.userId), MANY);
      const issue = only(await saved(world, [newIssue(world, endpoint, null, { notifyAt: 1 })]));
      const { key: issueKey, state, notifyAt } = issue;
      const due = { state, notifyAt };
      const change = {
        key: issueKey,
        due,
        notified: 'open',
        notifiedAt: 1,
        notifyAt: null,
      } as const;
      const answers = await Promise.all(
        [1, 2, 3].map(() => issues.saveNotified([change], [message(world, channel)])),
      );
      expect(answers.toSorted()).toEqual([false, false, true]);
      expect(await issues.queued(10)).toHaveLength(1);
    });
  });

  describe('deliveries to a channel', () => {
    test('are made as all others are; their facts are the channel’s account’s', async () => {
      const world = await begin();
      const { id: userId } = await world.user();
      const { channels, events, issues } = world.store;
      const channel = await channels.add(newChannel(world, userId), MANY);
      const internal = await world.store.endpoints.findByPublicToken(channel.publicToken);
      if (!internal) throw new Error('no internal endpoint');
      const event = await world.event(internal, { body: '{"type":"issue.opened"}' });
      // Nobody hears that a message about issues waits.
      expect(await issues.lanes(0, 10)).toEqual([]);
      expect((await issues.idle([channel.destinationKey])).destinations).toEqual(new Set());
      const claim = only(await world.claimDue());
      expect(claim).toMatchObject({ eventId: event.id, endpointKey: channel.endpointKey });
      const [begun] = await world.store.queue.begin([claim], world.now + 1000, world.now);
      expect(begun).toMatchObject({ destination: { id: channel.destinationId } });
      await world.settle(claim, 'dead');
      const { facts } = await issues.attemptFacts(0, 10);
      expect(facts).toMatchObject([
        {
          ...{ destinationKey: channel.destinationKey, endpointKey: channel.endpointKey, userId },
          ...{ isInternal: true, isDead: true, eventId: event.id, code: 'http_500' },
        },
      ]);
      expect(
        await events.list({ userId }, {}, { offset: 0, limit: 10, typesInBodies: true }),
      ).toMatchObject({ total: 0 });
      await world.store.upkeep.retireSlice({ before: world.now + 1 }, 10);
      expect(await events.find(channel.endpointKey, event.id)).toBeNull();
    });

    test('an address that isn’t confirmed gets nothing that was for another', async () => {
      const world = await begin();
      const { id: userId } = await world.user();
      const { channels, endpoints, issues, queue } = world.store;
      const email = { type: 'email', target: 'ops@example.com' } as const;
      const channel = await channels.add(newChannel(world, userId, email), MANY);
      const kept = await channels.add(newChannel(world, userId), MANY);
      const internal = await endpoints.findByPublicToken(channel.publicToken);
      if (!internal) throw new Error('no internal endpoint');
      await world.events(internal, [{}, {}]);
      const [claim, later] = await world.claimDue();
      if (!claim || !later) throw new Error('two claims');
      await queue.release([later]);
      const stays = message(world, kept);
      await issues.queue([message(world, channel), stays]);
      // Other settings drop nothing.
      await channels.update(userId, channel.id, { kinds: ['silence'] });
      expect(await issues.queued(10)).toHaveLength(2);
      const target = 'stranger@example.com';
      const moved = { target, url: `mailto:${target}`, confirmedAt: null, publicToken: 'moved' };
      const after = await channels.update(userId, channel.id, moved);
      expect(after).toMatchObject({ publicToken: 'moved' });
      expect((await issues.queued(10)).map(({ id }) => id)).toEqual([stays.id]);
      expect(await queue.begin([claim], world.now + 1000, world.now)).toEqual([null]);
      expect(await world.claimDue()).toEqual([]);
      expect((await issues.idle([channel.destinationKey])).destinations).toEqual(
        new Set([channel.destinationKey]),
      );
      // What somebody has read of the old address before misses the new one.
      const late = world.request(internal);
      const { results } = await world.store.events.appendBatch([late], CLAIM_NOTHING);
      expect(results).toEqual([{ stored: false, reason: 'endpoint_not_found' }]);
      await issues.queue([message(world, channel)]);
      expect((await issues.queued(10)).map(({ id }) => id)).toEqual([stays.id]);
      // The confirmation comes after that.
      const question = message(world, after as Channel);
      await issues.queue([question]);
      expect(await issues.queued(10)).toEqual([stays, question]);
      await world.event({ ...internal, publicToken: 'moved' });
      expect(await world.claimDue()).toHaveLength(1);
    });

    test('an alert names its channel, to its account alone', async () => {
      const world = await begin();
      const { id: userId } = await world.user();
      const channel = await world.store.channels.add(newChannel(world, userId), MANY);
      const internal = { key: channel.endpointKey, userId } as never;
      const destination = { key: channel.destinationKey } as never;
      const alert = only(
        await saved(world, [
          newIssue(world, internal, destination, { kind: 'alert', notifyAt: 1 }),
        ]),
      );
      const { issues } = world.store;
      const named = await issues.find({ userId, endpointIds: null }, alert.id);
      expect(named).toEqual({
        ...{ issue: alert, endpoint: null, destination: null },
        channel: { id: channel.id, type: 'webhook', target: channel.target },
      });
      expect(await issues.toNotify(1, 10, [])).toEqual([named]);
      const all = { offset: 0, limit: 10 };
      expect(await issues.list({ userId, endpointIds: null }, { kind: 'alert' }, all)).toEqual({
        ...{ issues: [named], total: 1 },
      });
      expect(await issues.list({ userId, endpointIds: ['ep_1'] }, {}, all)).toMatchObject({
        total: 0,
      });
      const stranger = await world.user();
      expect(await issues.find(scopeOf({ userId: stranger.id }), alert.id)).toBeNull();
      await world.store.channels.remove(userId, channel.id, world.now);
      expect(await issues.find({ userId, endpointIds: null }, alert.id)).toBeNull();
      expect(await issues.toNotify(1, 10, [])).toEqual([]);
    });

    test('a removed channel takes its messages, and what is on its way, with it', async () => {
      const world = await begin();
      const { id: userId } = await world.user();
      const { channels, endpoints, events, issues, queue, upkeep } = world.store;
      const channel = await channels.add(newChannel(world, userId), MANY);
      const kept = await channels.add(newChannel(world, userId), MANY);
      const internal = await endpoints.findByPublicToken(channel.publicToken);
      if (!internal) throw new Error('no internal endpoint');
      const [claimed, waiting] = await world.events(internal, [{}, {}]);
      const [claim, later] = await world.claimDue();
      if (!claim || !later) throw new Error('two claims');
      await queue.release([later]);
      const stays = message(world, kept);
      await issues.queue([message(world, channel), stays]);
      expect(await channels.remove(userId, channel.id, world.now)).toBe(true);
      expect(await channels.remove(userId, channel.id, world.now)).toBe(false);
      expect(await channels.find(userId, channel.id)).toBeNull();
      expect(await channels.list(userId)).toEqual([kept]);
      expect((await issues.queued(10)).map(({ id }) => id)).toEqual([stays.id]);
      // A message that was made meanwhile.
      await issues.queue([message(world, channel)]);
      expect(await issues.queued(10)).toHaveLength(1);
      expect(await queue.begin([claim], world.now + 1000, world.now)).toEqual([null]);
      await queue.settle([world.settlement(claim, 'dead')], BREAKER);
      expect(await world.claimDue()).toEqual([]);
      const { results } = await events.appendBatch([world.request(internal)], CLAIM_NOTHING);
      expect(results).toEqual([{ stored: false, reason: 'endpoint_not_found' }]);
      while ((await upkeep.purgeSlice(1000)).more);
      for (const event of [claimed, waiting])
        expect(await events.find(channel.endpointKey, event?.id ?? '')).toBeNull();
      expect(
        await world.store.destinations.get(channel.endpointKey, channel.destinationId),
      ).toBeNull();
    });
  });
}
