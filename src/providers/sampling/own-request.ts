import type { HeaderPair } from '../../core/model.ts';
import type { Provider } from '../provider.ts';
import { Fresh, type RandomBytes } from './fresh.ts';
import { leastBody } from './least-body.ts';
import { withHeaders } from './with-headers.ts';

const HEADER = 'header.';
/** The type of a body that nobody has given one. */
const NO_TYPE = 'test';
const FORM = /^[^\s{}[\]"<>=&]+=/;

export interface OwnRequestOptions {
  /** Null where the name has none. */
  type: string | null;
  /** A person's own, sent as it is; null for the least one. */
  body: Buffer | null;
  /** A person's own, which replace others of their names. */
  headers: readonly HeaderPair[];
  /** Of the least body, as typed: `path=value`. */
  overrides: readonly string[];
  /** Overrides may add fields. */
  add: boolean;
  nowMs: number;
  randomBytes: RandomBytes;
}

/** A request that a person makes up and a provider's scheme signs, without the signature. */
export interface OwnRequest {
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
  /** A new id, for schemes that sign one. */
  deliveryId: string;
}

/**
 * Makes a request of a provider from a body of a person's own, or from the least body, with
 * the provider's headers of type and id. Throws `config_invalid` for unusable overrides.
 */
export function ownRequest(provider: Provider, options: OwnRequestOptions): OwnRequest {
  const fresh = new Fresh(options.nowMs, options.randomBytes);
  const body =
    options.body ?? leastBody(provider, { ...options, type: options.type ?? NO_TYPE, fresh });
  const deliveryId = fresh.uuid();
  // A body of one's own may have its type inside: only a given one is claimed in a header.
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
