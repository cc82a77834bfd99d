import * as v from 'valibot';
import type { KeyRing } from '../../capture/keys/key-ring.ts';
import { type OwnUrls, signedUrls } from '../../capture/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import { SOURCE_HINTS } from '../../core/proof/source-hints.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import { CATALOGUE, type CatalogueEntry } from '../../providers/catalogue.ts';
import { otherUrls } from '../../providers/reasons/other-urls.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { Provider } from '../answers/provider.ts';
import { type Route, route } from '../route.ts';
import { mergedSource, openSource } from '../source/merged-source.ts';
import { CHECK_DEADLINE_MS, checkSource } from '../source/source-check.ts';
import { sourcePatchSchema } from '../source/source-schema.ts';

const MOST_EVENTS = 1000;
const LAST = `must be a whole number from 1 to ${MOST_EVENTS}`;

const providerSchema = v.object({
  name: v.string(),
  title: v.string(),
  verifies: v.pipe(v.boolean(), v.description('Whether a source may name it.')),
  signs: v.pipe(v.boolean(), v.description('Whether deliveries can be signed as it signs.')),
  fields: v.pipe(v.array(v.string()), v.description('Members of a source that it takes.')),
  dedupes_by: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('Paths of what it repeats when it sends a delivery again.'),
  ),
  handshake: v.pipe(v.boolean(), v.description('Whether its check of the URL is answered.')),
  hint: v.pipe(v.nullable(v.string()), v.description('What a person should know of that check.')),
  secret: v.pipe(v.nullable(v.string()), v.description('Its term for the secret.')),
  secret_prefix: v.pipe(v.nullable(v.string()), v.description('How such a secret begins.')),
});

const hintSchema = v.object({
  code: v.picklist(SOURCE_HINTS),
  message: v.string(),
  secret: v.pipe(v.nullable(v.number()), v.description('Which of the secrets, from 1.')),
  events: v.pipe(v.number(), v.description('The number of events that tell it.')),
});

const checkSchema = strictObject({
  source: v.optional(sourcePatchSchema),
  last: v.optional(
    v.pipe(
      v.number(LAST),
      v.integer(LAST),
      v.minValue(1, LAST),
      v.maxValue(MOST_EVENTS, LAST),
      v.description(`The number of newest events to check. Default: ${MOST_EVENTS}.`),
    ),
  ),
});

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
  const tag = 'sources';
  /** Accounts with a check under way. */
  const checking = new Set<string>();
  return [
    route({
      method: 'GET',
      path: '/api/providers',
      summary: 'List the senders of webhooks that hookrelay knows, and what it can do with them',
      tag,
      access: 'account-part',
      scope: 'read',
      status: 200,
      response: v.array(providerSchema),
      handle: () => CATALOGUE.map(providerView),
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/source/check',
      summary: 'Verify past events by a source, or by the present one; nothing is saved',
      tag,
      access: 'endpoint',
      scope: 'read',
      audit: { unaudited: 'it counts events and changes nothing' },
      body: checkSchema,
      status: 200,
      response: v.object({
        checked: v.number(),
        verified: v.number(),
        failed: v.pipe(v.record(v.string(), v.number()), v.description('Events by reason.')),
        skipped: v.pipe(
          v.number(),
          v.description(
            'Edited copies, unsigned checks of the URL, and events with bodies over 1 MiB, or with less where many secrets and URLs are tried. They count nowhere else.',
          ),
        ),
        ended_early: v.pipe(
          v.boolean(),
          v.description(
            'Whether the check ended after 10 s or 256 MiB of bodies, before the last of the events.',
          ),
        ),
        hints: v.pipe(
          v.array(hintSchema),
          v.description('What is wrong, as far as the events tell.'),
        ),
      }),
      async handle({ principal, endpoint, body, signal }) {
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
    }),
  ];
}

function providerView({ dedupesBy, secretPrefix, ...entry }: CatalogueEntry): Provider {
  return { ...entry, dedupes_by: dedupesBy, secret_prefix: secretPrefix };
}

function oneAtATime(): HookrelayError {
  const retryAfterS = CHECK_DEADLINE_MS / 1000;
  return new HookrelayError('rate_limited', 'an account checks one source at a time', {
    hint: `try again in ${retryAfterS} s`,
    retryAfterS,
  });
}
