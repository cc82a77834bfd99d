import type { KeyRing } from '../../capture/judging/key-ring.ts';
import { type OwnUrls, signedUrls } from '../../capture/judging/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import { CATALOGUE, type CatalogueEntry } from '../../providers/catalogue.ts';
import { otherUrls } from '../../providers/reasons/other-urls.ts';
import type { EventStore } from '../../store/contract/events.ts';
import { type Route, routesOf } from '../route.ts';
import { CHECK_DEADLINE_MS, checkSource } from './check-source.ts';
import { mergedSource, openSource } from './merged-source.ts';
import { MOST_EVENTS, SOURCE_CALLS } from './source-calls.ts';

export interface SourceRoutesOptions {
  events: Pick<EventStore, 'newest'>;
  keys: Keys;
  clock: Clock;
  urls: OwnUrls;
  keyRing: Pick<KeyRing, 'known' | 'fetch'>;
  /** Gets what checks take. */
  cpu: CpuCharges;
}

/** The senders that can be verified, and sources tried on history before they are saved. */
export function sourceRoutes({
  events,
  keys,
  clock,
  urls,
  keyRing,
  cpu,
}: SourceRoutesOptions): Route[] {
  /** Accounts with a check under way. */
  const checking = new Set<string>();
  return routesOf(SOURCE_CALLS, {
    'GET /api/providers': () => CATALOGUE.map(providerView),
    async 'POST /api/endpoints/{id}/source/check'({ principal, endpoint, body, signal }) {
      const source = mergedSource(openSource(endpoint, keys), body.source ?? {});
      const account = principal.user.id;
      if (checking.has(account)) throw oneAtATime();
      checking.add(account);
      try {
        return await checkSource(endpoint.key, source, body.last ?? MOST_EVENTS, signal, {
          events,
          monotonic: () => clock.monotonic(),
          charge: (ms) => cpu.charge(account, ms),
          urlsOf: ({ path }, { query, rawHeaders }) => {
            const { publicToken } = endpoint;
            const request = { publicToken, path, query, rawHeaders };
            return signedUrls(request, source.settings.url, urls);
          },
          otherUrlsOf: ({ path }, { query, rawHeaders }, tried) => {
            const { publicToken } = endpoint;
            const request = { publicToken, path, query, rawHeaders };
            return otherUrls(request, source.settings.url, urls.baseUrl(), tried);
          },
          async keyOf(request) {
            const known = keyRing.known(request);
            if (known !== undefined) return known;
            // Past forgeries must not use up the fetches of the endpoint's captures.
            const { publicToken, userId } = endpoint;
            return keyRing.fetch(request, { publicToken: `check ${publicToken}`, userId });
          },
        });
      } finally {
        checking.delete(account);
      }
    },
  });
}

function providerView({ dedupesBy, secretPrefix, ...entry }: CatalogueEntry) {
  return { ...entry, dedupes_by: dedupesBy, secret_prefix: secretPrefix };
}

function oneAtATime(): HookrelayError {
  const retryAfterS = CHECK_DEADLINE_MS / 1000;
  return new HookrelayError('rate_limited', 'an account checks one source at a time', {
    hint: `try again in ${retryAfterS} s`,
    retryAfterS,
  });
}
