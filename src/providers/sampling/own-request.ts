import type { HeaderPair } from '../../core/model.ts';
import type { Provider } from '../provider.ts';
import { Fresh, type RandomBytes } from './fresh.ts';
import { leastBody } from './least-body.ts';
import { withHeaders } from './with-headers.ts';

const HEADER = 'header.';
/** The type where nobody gives one. */
const NO_TYPE = 'test';
const FORM = /^[^\s{}[\]"<>=&]+=/;

interface OwnRequestOptions {
  /** The type in the given name; null without one. */
  type: string | null;
  /** A person's body, sent as it is; null for the smallest one. */
  body: Buffer | null;
  /** A person's headers, which replace others of the same names. */
  headers: readonly HeaderPair[];
  /** Overrides of the smallest body, as typed: `path=value`. */
  overrides: readonly string[];
  /** Overrides may add fields. */
  add: boolean;
  nowMs: number;
  randomBytes: RandomBytes;
}

/** A request that a person makes up, before the provider's scheme signs it. */
interface OwnRequest {
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
  /** A new id, for schemes that sign one. */
  deliveryId: string;
}

/**
 * Makes a request of a provider from a person's body, or from the smallest one, with the provider's
 * headers of type and id. Throws `config_invalid` for unusable overrides.
 */
export function ownRequest(provider: Provider, options: OwnRequestOptions): OwnRequest {
  const fresh = new Fresh(options.nowMs, options.randomBytes);
  const body =
    options.body ?? leastBody(provider, { ...options, type: options.type ?? NO_TYPE, fresh });
  const deliveryId = fresh.uuid();
  // A person's body may contain its type, so a header claims only a given one.
  const type = options.type ?? (options.body ? null : NO_TYPE);
  const headers: HeaderPair[] = [
    ['Content-Type', contentType(body)],
    ...typeHeaders(provider, type),
    ...idHeaders(provider, deliveryId),
  ];
  return { headers: withHeaders(headers, options.headers).flat(), body, deliveryId };
}

function contentType(body: Buffer): string {
  const text = body.toString('utf8').trimStart();
  if (text === '' || /^[[{]/.test(text)) return 'application/json';
  return FORM.test(text) ? 'application/x-www-form-urlencoded' : 'text/plain';
}

/** Of several headers the first is the one in use. */
function typeHeaders({ marks = [] }: Provider, type: string | null): HeaderPair[] {
  const mark = marks.find(({ isType }) => isType);
  return mark && type !== null ? [[mark.header, type]] : [];
}

function idHeaders({ deliveryIdHeader, once }: Provider, id: string): HeaderPair[] {
  const [paths = []] = once?.by ?? [];
  const ofOnce = paths.length === 1 ? paths.filter((path) => path.startsWith(HEADER)) : [];
  const names = [deliveryIdHeader, ...ofOnce.map((path) => path.slice(HEADER.length))];
  return [...new Set(names)].flatMap((name) => (name === undefined ? [] : [[name, id] as const]));
}
