import type { Database } from 'better-sqlite3';
import type { Destination, Endpoint } from '../../../src/core/model.ts';
import { MANY } from '../../fixtures/many.ts';
import { fold, newChannel, newIssue, saved, scopeOf } from '../conformance/issue-rows.ts';
import type { World } from '../conformance/world.ts';
import { settingsPatch } from '../conformance/world.ts';
import { readsOn } from './noted-plans.ts';

/** Runs every operation on issues and channels once. */
export async function exerciseIssues(
  world: World,
  endpoint: Endpoint,
  destination: Destination,
): Promise<void> {
  const { channels, endpoints, issues } = world.store;
  const { now } = world;
  const { userId } = endpoint;
  await endpoints.update(endpoint.key, settingsPatch({ expect_every: 1000 }, now));
  const channel = await channels.add(newChannel(world, userId), MANY);
  await channels.list(userId);
  await channels.findByConfirmation(Buffer.alloc(32));
  await channels.update(userId, channel.id, {
    ...{ target: 'a', url: 'https://a.example', publicToken: 'other' },
  });
  await channels.confirm(Buffer.alloc(32), now);
  const [issue, forming] = await saved(world, [
    newIssue(world, endpoint, destination, { notifyAt: 1 }),
    newIssue(world, endpoint, destination, { subject: 'b', state: 'forming' }),
  ]);
  if (!issue || !forming) throw new Error('two');
  const cursor = { name: 'attempts', before: 0, after: 0 } as const;
  await issues.save(fold({ cursor, dropped: [forming] }));
  await issues.find(scopeOf(endpoint), issue.id);
  const change = { version: 1, state: 'acknowledged', lastAt: 1, notifyAt: 1 } as const;
  await issues.setState(scopeOf(endpoint), issue.id, change);
  await issues.cursor('attempts');
  await issues.idle([destination.key]);
  await issues.byDestinations([destination.key], ['delivery']);
  await issues.closing(0, 10);
  await issues.openOf('delivery', 0, 10);
  await issues.toNotify(now, 10, []);
  await issues.notifiedSince(userId, 0);
  const { key: channelKey, publicToken } = channel;
  const message = { id: 'msg_1', channelKey, publicToken, contentType: 'text/plain', body: '' };
  const due = { state: 'open', notifyAt: 1 } as const;
  const told = { key: issue.key, due, notified: 'open', notifiedAt: 1, notifyAt: null } as const;
  await issues.saveNotified([told], [{ ...message, createdAt: 1 }]);
  await issues.queued(10);
  await issues.captured(['msg_2']);
  await issues.heartbeat(now, 1);
  await issues.heartbeat(now + 5, 1);
  await issues.dropResolved(0, 10);
  await channels.remove(userId, channel.id, now);
}

/** Runs every read of issues that the reader's thread makes. */
export async function exerciseIssueReads(db: Database): Promise<void> {
  db.exec(`
    INSERT OR IGNORE INTO users VALUES ('usr_i', 'i@example.com', '', 'free', 0);
    INSERT INTO endpoints (key, id, user_id, created_at, source, settings)
      VALUES (77, 'ep_i', 'usr_i', 0, '{}', '{"expect_every":1000}');
    INSERT INTO attempts (id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
        number, response_truncated, duration_ms, attempted_at)
      VALUES ('att_i', 77, 77, 77, 'dlv_i', 0, 1, 0, 1, 1)`);
  const { issues } = readsOn(db);
  await issues.list({ userId: 'usr_i', endpointIds: null }, {}, { offset: 0, limit: 10 });
  await issues.attemptFacts(0, 10);
  await issues.conflictFacts(0, 10);
  await issues.unjudgedFacts(0, 10);
  await issues.uncomparableFacts(0, 10);
  await issues.failureFacts('failures', 0, 10);
  await issues.failureFacts('rejections', 0, 10);
  await issues.lanes(0, 10);
  await issues.outcomes(0, 10);
  await issues.expectations(0, 10);
  await issues.expectationsOf([1, 2]);
}
