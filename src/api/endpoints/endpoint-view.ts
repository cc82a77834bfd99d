import type { Endpoint } from '../../core/model.ts';
import type { CustomScheme } from '../../core/proof/source.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { maskedSecret } from '../../core/secrets/masked-secret.ts';
import { spellDuration } from '../../core/text/duration.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { durationOrNull } from '../duration-or-null.ts';
import { isoTime } from '../iso-time.ts';
import { openSource } from '../sources/merged-source.ts';
import type * as api from './endpoint-answer.ts';

export interface EndpointViewsOptions {
  endpoints: Pick<EndpointStore, 'guesses'>;
  keys: Keys;
  baseUrl(): string;
}

/** Masks the secrets. */
export class EndpointViews {
  readonly #options: EndpointViewsOptions;

  constructor(options: EndpointViewsOptions) {
    this.#options = options;
  }

  async one(endpoint: Endpoint): Promise<api.EndpointAnswer> {
    const [view] = await this.all([endpoint]);
    return view as api.EndpointAnswer;
  }

  async all(endpoints: readonly Endpoint[]): Promise<api.EndpointAnswer[]> {
    if (endpoints.length === 0) return [];
    const guesses = await this.#options.endpoints.guesses(endpoints.map(({ key }) => key));
    return endpoints.map((one) => this.#view(one, guesses.get(one.key) ?? null));
  }

  settings(endpoint: Endpoint): ShownSettings {
    const { dedupe, on_unjudged, ...settings } = endpoint.settings;
    return {
      ...settings,
      retention: durationOrNull(settings.retention),
      expect_every: durationOrNull(settings.expect_every),
      source: this.#source(endpoint),
      dedupe: dedupe && { by: dedupe.by === 'provider' ? dedupe.by : [...dedupe.by] },
      on_unjudged,
    };
  }

  #view(endpoint: Endpoint, guessed: string | null): api.EndpointAnswer {
    const { name, is_active, ...settings } = this.settings(endpoint);
    return {
      id: endpoint.id,
      name,
      public_token: endpoint.publicToken,
      is_active,
      created_at: isoTime(endpoint.createdAt),
      capture_url: `${this.#options.baseUrl()}/in/${endpoint.publicToken}`,
      ...settings,
      guessed,
    };
  }

  #source(endpoint: Endpoint): api.SourceAnswer | null {
    const open = openSource(endpoint, this.#options.keys);
    if (open === null) return null;
    const { provider, enforce, url, in: place, scheme } = open.settings;
    return {
      provider,
      secrets: open.secrets === null ? [maskedSecret(null)] : open.secrets.map(maskedSecret),
      enforce,
      url,
      ...(place !== null && { in: place }),
      ...(scheme !== null && { scheme: shownScheme(scheme) }),
    };
  }
}

type ShownSettings = Pick<api.EndpointAnswer, api.EndpointChoice>;

function shownScheme({ toleranceMs, ...scheme }: CustomScheme): api.CustomSchemeAnswer {
  return { ...scheme, tolerance: spellDuration(toleranceMs) };
}
