import { joinedHeaders } from '../http/joined-headers.ts';
import { NOT_CHECKED, type Verification } from '../proof/verification.ts';
import { type BodyDocument, bodyDocument, fieldsOf } from './body-document.ts';
import type { Value } from './document.ts';
import type { RuleParts } from './evaluate.ts';
import type { PartName } from './filter.ts';
import { MOST_STEPS, RuleTooCostly, Work } from './work.ts';

/** The data of a captured request that rules use. */
export interface RuledRequest {
  method: string;
  /** Undecoded: empty, or with a leading `/`. */
  path: string;
  /** The raw query, without the `?`. */
  query: string;
  /** Name, value, name, value … */
  rawHeaders: readonly string[];
  contentType: string | null;
  body: Buffer;
  /** The body's size, bytes, if only the size is known. */
  size?: number;
  provider: string | null;
  eventType: string | null;
  sourceIp: string;
  /** Null for an endpoint without a source. */
  verification: Pick<Verification, 'state'> | null;
}

export type BodyReader = typeof bodyDocument;

/** Returns the event type that a body names (`providers/body-type.ts`). */
export type BodyType = (provider: string | null, body: Value) => string | null;

/** Parts that may need the parsed body. */
const OF_BODY: ReadonlySet<PartName> = new Set(['body', 'form', 'type']);

/** Larger bodies aren't parsed to find the type of their event. */
export const MAX_TYPED_BODY_BYTES = 256 * 1024;

/**
 * The parts of a request. A part is read once, when a rule first uses it. So ten filters parse a
 * body only once, and filters by headers never parse it.
 */
export class RequestParts implements RuleParts {
  readonly work: Work;
  readonly #request: RuledRequest;
  readonly #bodyType: BodyType;
  readonly #read: BodyReader;
  readonly #made = new Map<PartName, Value | undefined>();
  #body: BodyDocument | null = null;
  #problem: unknown = null;

  /**
   * @param steps how many steps judging may take
   * @param read may read less than the whole body, or throw
   */
  constructor(
    request: RuledRequest,
    bodyType: BodyType,
    steps = MOST_STEPS,
    read: BodyReader = bodyDocument,
  ) {
    this.work = new Work(steps);
    this.#request = request;
    this.#bodyType = bodyType;
    this.#read = read;
  }

  get(name: PartName): Value | undefined {
    if (!this.#made.has(name)) this.#made.set(name, this.#make(name));
    return this.#made.get(name);
  }

  /** Returns the same parts without reading the body. Throws `RuleTooCostly` if it isn't read yet. */
  asRead(steps: number): RuleParts {
    return {
      work: new Work(steps),
      get: (name) => {
        if (OF_BODY.has(name) && !this.#body) throw new RuleTooCostly();
        return this.get(name);
      },
    };
  }

  /** Reads the body once. It also keeps a failure, because counting the values takes time. */
  #document(): BodyDocument {
    if (this.#problem) throw this.#problem;
    try {
      this.#body ??= this.#read(this.#request.body, this.#request.contentType);
      return this.#body;
    } catch (error) {
      this.#problem = error;
      throw error;
    }
  }

  #typeInBody(): string | null {
    const { provider, body } = this.#request;
    if (body.length > MAX_TYPED_BODY_BYTES) return null;
    const document = this.get('body');
    return document === undefined ? null : this.#bodyType(provider, document);
  }

  #make(name: PartName): Value | undefined {
    const request = this.#request;
    switch (name) {
      case 'method':
        return request.method;
      case 'path':
        return request.path || '/';
      case 'query':
        return fieldsOf(new URLSearchParams(request.query));
      case 'headers':
        return Object.fromEntries(joinedHeaders(request.rawHeaders));
      case 'body':
      case 'form':
        return this.#document()[name];
      case 'provider':
        return request.provider ?? undefined;
      case 'type':
        return request.eventType ?? this.#typeInBody() ?? undefined;
      case 'verification':
        return (request.verification ?? NOT_CHECKED).state;
      case 'size':
        return request.size ?? request.body.length;
      case 'source_ip':
        return request.sourceIp;
    }
  }
}
