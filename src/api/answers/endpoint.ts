import type { CustomScheme as StoredScheme } from '../../core/proof/source.ts';
import type { EndpointSetting, EndpointSettings } from '../../core/settings/endpoint-settings.ts';

export interface Endpoint extends Omit<EndpointSettings, 'retention' | 'expect_every' | 'dedupe'> {
  id: string;
  public_token: string;
  created_at: string;
  capture_url: string;
  /** How long events are kept, a duration; null for as long as the server keeps them. */
  retention: string | null;
  /** Longest time without an event before its silence is an issue, a duration; null for any. */
  expect_every: string | null;
  /** Who sends to it, and how requests prove it; null where nothing is verified. */
  source: Source | null;
  /** How repeated requests are recognised; null where all are delivered. */
  dedupe: { by: 'provider' | readonly string[] } | null;
  /** The provider that recent events look like. */
  guessed: string | null;
}

/** The members that a person chooses. */
export type EndpointChoice = EndpointSetting | 'source';

export interface Source {
  provider: string;
  /** Masked. */
  secrets: string[];
  /** Whether requests that fail are refused. */
  enforce: boolean;
  /** As registered at the provider; null for the capture URL. */
  url: string | null;
  /** Of `token`: the place of the token. */
  in?: string;
  /** Of `custom`. */
  scheme?: CustomScheme;
}

/** The tolerance is a duration. */
export interface CustomScheme extends Omit<StoredScheme, 'toleranceMs'> {
  tolerance: string;
}
