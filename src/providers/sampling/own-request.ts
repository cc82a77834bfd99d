import type { HeaderPair } from '../../core/model.ts';
import type { Provider } from '../provider.ts';
import { Fresh, type RandomBytes } from './fresh.ts';
import { leastBody } from './least-body.ts';
import { withHeaders } from './with-headers.ts';

const HEADER = 'header.';
/** The event type if a person gives neither a type nor a body. */
const NO_TYPE = 'test';
const FORM = /^[^\s{}[\]"<>=&]+=/;

interface OwnRequestOptions {
  /** The event type in the name that a person gave. Null if there is none. */
  type: string | null;
  /** The person's body, which is sent unchanged. Null for the smallest body. */
  body: Buffer | null;
  /** The person's headers, which replace others of the same names. */
  headers: readonly HeaderPair[];
  /** Overrides of the smallest body, as typed: `path=value`. */
  overrides: readonly string[];
  /** Whether overrides may add fields. */
  add: boolean;
  nowMs: number;
  randomBytes: RandomBytes;
}

/** A person's own request, not signed yet. */
interface OwnRequest {
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
  /** A new id, for schemes that sign an id. */
  deliveryId: string;
}

/**
 * Makes a request of a provider with a person's body or the smallest one. Adds the provider's
 * headers for type and id. Throws `config_invalid` for unusable overrides.
 */
export function ownRequest(provider: Provider, options: OwnRequestOptions): OwnRequest {
  const fresh = new Fresh(options.nowMs, options.randomBytes);
  const body =
    options.body ?? leastBody(provider, { ...options, type: options.type ?? NO_TYPE, fresh });
  const deliveryId = fresh.uuid();
  // A person's body may contain its own type, so a header names only a type that the person gave.
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

/** Returns the header with the type. Of several such headers, the first is in use. */
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
