import type { KeyRing } from '../../capture/judging/key-ring.ts';
import { type OwnUrls, signedUrls } from '../../capture/judging/signed-urls.ts';
import type { EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import { CATALOGUE, type CatalogueEntry } from '../../providers/catalogue.ts';
import { otherUrls } from '../../providers/reasons/other-urls.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { type Route, routesOf } from '../route.ts';
import { CHECK_DEADLINE_MS, type CheckOptions, checkSource } from './check-source.ts';
import { mergedSource, openSource } from './merged-source.ts';
import { MOST_EVENTS, SOURCE_CALLS } from './source-calls.ts';

export interface SourceRoutesOptions {
  events: Pick<EventStore, 'newest'>;
  keys: Keys;
  clock: Clock;
  urls: OwnUrls;
  keyRing: Pick<KeyRing, 'known' | 'fetch'>;
  /** Charges the CPU of checks. */
  cpu: CpuCharges;
}

/** The senders that can be verified, and sources tried on history before they are saved. */
export function sourceRoutes(options: SourceRoutesOptions): Route[] {
  const { events, keys, clock, urls, keyRing, cpu } = options;
  const checks = new OneAtATime('an account checks one source at a time', CHECK_DEADLINE_MS);

  return routesOf(SOURCE_CALLS, {
    'GET /api/providers': () => CATALOGUE.map(providerView),
    async 'POST /api/endpoints/{id}/source/check'({ principal, endpoint, body, signal }) {
      const source = mergedSource(openSource(endpoint, keys), body.source ?? {});
      const account = principal.user.id;
      const { publicToken, userId } = endpoint;
      const { url } = source.settings;
      const captured = ({ path }: EventSummary, { query, rawHeaders }: EventContent) => {
        return { publicToken, path, query, rawHeaders };
      };
      const terms: CheckOptions = {
        events,
        monotonic: () => clock.monotonic(),
        charge: (ms) => cpu.charge(account, ms),
        urlsOf: (event, content) => signedUrls(captured(event, content), url, urls),
        otherUrlsOf: (event, content, tried) =>
          otherUrls(captured(event, content), url, urls.baseUrl(), tried),
        async keyOf(request) {
          const known = keyRing.known(request);
          if (known !== undefined) return known;
          // Past forgeries must not use up the fetches of the endpoint's captures.
          return keyRing.fetch(request, { publicToken: `check ${publicToken}`, userId });
        },
      };
      const last = body.last ?? MOST_EVENTS;
      return checks.run(account, () => checkSource(endpoint.key, source, last, signal, terms));
    },
  });
}

function providerView({ signsNote, dedupesBy, secretPrefix, ...entry }: CatalogueEntry) {
  return {
    ...entry,
    signs_note: signsNote,
    dedupes_by: dedupesBy,
    secret_prefix: secretPrefix,
  };
}
