import { describe } from 'vitest';
import { accountConformance } from './conformance/accounts.ts';
import { activityConformance } from './conformance/activity.ts';
import { apiTokenConformance } from './conformance/api-tokens.ts';
import { auditConformance } from './conformance/audit.ts';
import { captureConformance } from './conformance/capture.ts';
import { channelConformance } from './conformance/channels.ts';
import { claimConformance } from './conformance/claims.ts';
import { deletionConformance } from './conformance/deletion.ts';
import { deliveryConformance } from './conformance/deliveries.ts';
import { destinationConformance } from './conformance/destinations.ts';
import { endpointConformance } from './conformance/endpoints.ts';
import { expectationConformance } from './conformance/expectations.ts';
import { filterConformance } from './conformance/filters.ts';
import { flowConformance } from './conformance/flows.ts';
import { issueFactConformance } from './conformance/issue-facts.ts';
import { issueConformance } from './conformance/issues.ts';
import { ledgerConformance, ledgerTries } from './conformance/ledger.ts';
import { lifecycleConformance } from './conformance/lifecycle.ts';
import { listConformance } from './conformance/lists.ts';
import { liveConformance } from './conformance/live.ts';
import { onceConformance } from './conformance/once.ts';
import { orderConformance } from './conformance/order.ts';
import { overviewConformance } from './conformance/overview.ts';
import { proofConformance } from './conformance/proof.ts';
import { rejectedConformance } from './conformance/rejected.ts';
import { replayJobConformance } from './conformance/replay-jobs.ts';
import { replayProgressConformance } from './conformance/replay-progress.ts';
import { replayTargetConformance } from './conformance/replay-targets.ts';
import { replayConformance } from './conformance/replays.ts';
import { ruleConformance, ruleTries } from './conformance/rules.ts';
import { searchConformance, searchTries } from './conformance/search.ts';
import { sentHeaderConformance } from './conformance/sent-headers.ts';
import { settleConformance } from './conformance/settle.ts';
import { stoppedSearchConformance } from './conformance/stopped-searches.ts';
import { typeConformance } from './conformance/types.ts';
import { unjudgedConformance } from './conformance/unjudged.ts';
import { upkeepConformance } from './conformance/upkeep.ts';
import { waitingConformance } from './conformance/waiting.ts';
import { closeSharedStores, type OpenStore } from './conformance/world.ts';

/**
 * Tests a backend against the contract of `src/store/contract/store.ts` and its parts. Every
 * backend runs this suite. Promises of a single backend have their own tests.
 */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`${name} keeps the store contract`, () => {
    closeSharedStores(open);
    describe('accounts', () => accountConformance(open));
    describe('API tokens', () => apiTokenConformance(open));
    describe('audit', () => auditConformance(open));
    describe('endpoints', () => endpointConformance(open));
    describe('destinations', () => destinationConformance(open));
    describe('capture', () => captureConformance(open));
    describe('filters', () => filterConformance(open));
    describe('proof of sender', () => proofConformance(open));
    describe('once only', () => onceConformance(open));
    describe('what could not be judged', () => unjudgedConformance(open));
    describe('what waits', () => waitingConformance(open));
    describe('rejected requests', () => rejectedConformance(open));
    describe('activity', () => activityConformance(open));
    describe('overview', () => overviewConformance(open));
    describe('lists', () => listConformance(open));
    describe('search', () => searchConformance(open));
    describe('rules over events', () => ruleConformance(open));
    describe('stopped searches', () => stoppedSearchConformance(open));
    describe('claims', () => claimConformance(open));
    describe('flows', () => flowConformance(open));
    describe('deliveries', () => deliveryConformance(open));
    describe('order', () => orderConformance(open));
    describe('settling', () => settleConformance(open));
    describe('headers of attempts', () => sentHeaderConformance(open));
    describe('replays', () => replayConformance(open));
    describe('replays to some', () => replayTargetConformance(open));
    describe('bulk replays', () => replayJobConformance(open));
    describe('progress of bulk replays', () => replayProgressConformance(open));
    describe('statuses and counters', () => ledgerConformance(open));
    describe('live reads', () => liveConformance(open));
    describe('types', () => typeConformance(open));
    describe('issues', () => issueConformance(open));
    describe('facts of issues', () => issueFactConformance(open));
    describe('expectations', () => expectationConformance(open));
    describe('channels', () => channelConformance(open));
    describe('upkeep', () => upkeepConformance(open));
    describe('deletion and retention', () => deletionConformance(open));
    describe('life cycle', () => lifecycleConformance(open));
  });
}

/** The same contract with more seeds: each takes seconds. */
export function storeTries(name: string, open: OpenStore): void {
  describe(`${name} keeps the store contract`, () => {
    closeSharedStores(open);
    describe('search', () => searchTries(open));
    describe('rules over events', () => ruleTries(open));
    describe('statuses and counters', () => ledgerTries(open));
  });
}
