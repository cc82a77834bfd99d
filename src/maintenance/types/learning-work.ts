import type { DriftWatch } from '../../core/issues/drift-streak.ts';
import { bodyDocument } from '../../core/rules/body-document.ts';
import { acceptDrifts } from '../../core/shapes/accept-drifts.ts';
import { type Drift, driftOf, isAlarm } from '../../core/shapes/drift-of.ts';
import { forget, neededEvents } from '../../core/shapes/literals.ts';
import { mergeAllBut } from '../../core/shapes/merge-all-but.ts';
import { mergeInto } from '../../core/shapes/merge-into.ts';
import type { JsonPayload } from '../../core/shapes/payload.ts';
import { readPayload } from '../../core/shapes/read-payload.ts';
import { newShape, type PayloadShape } from '../../core/shapes/shape.ts';
import { readStoredShape, storedShape } from '../../core/shapes/stored-shape.ts';
import { bodyType, mayNameType } from '../../providers/body-type.ts';
import type { EventToLearn, TypeRef } from '../../store/contract/types.ts';

/*
 * The jobs of the learner's thread. A slice takes two jobs, `read` and `merge`. Between them, the
 * server reads from the store the types that `read` has found in the bodies.
 */
export interface ReadRequest {
  /** A unique number, so that `merge` never works on another slice. */
  slice: number;
  events: readonly EventToLearn[];
}

interface MergeRequest {
  slice: number;
  /** The slice's types in the order of `read`. */
  types: readonly (DriftWatch & { shape: Uint8Array | null })[];
  /** Events that were received before this time are history, Unix ms. */
  historyBefore: number;
}

interface AcceptRequest {
  shape: Uint8Array;
  drifts: readonly Drift[];
  bodies: readonly Uint8Array[];
}

interface ForgetRequest {
  shapes: readonly Uint8Array[];
  gone: ReadonlySet<number>;
}

interface ReadAnswer {
  types: TypeRef[];
  /** Each event's type, as an index in `types`. */
  typeOf: number[];
}

export interface MergedType {
  /** Null if no payload was JSON. */
  shape: Uint8Array | null;
  /** The events with alarms, by their index in the slice, ascending. */
  drifting: { event: number; drifts: Drift[] }[];
}

interface ReadEvent {
  seq: number;
  receivedAt: number;
  payload: JsonPayload | undefined;
}

/** A type in the slice that `read` read last, with its events. */
interface ReadType {
  type: string;
  events: (ReadEvent & { event: number })[];
}

let current: { slice: number; types: ReadType[] } | undefined;

/** Parses bodies and returns the types of their events. Keeps the payloads for `merge`. */
function read({ slice, events }: ReadRequest): ReadAnswer {
  const places = new Map<string, number>();
  const types: TypeRef[] = [];
  const readTypes: ReadType[] = [];
  const typeOf = events.map((found, event) => {
    const payload = readPayload(found.body);
    const { endpointKey, seq, receivedAt } = found;
    const type = typeName(found, payload);
    const name = `${endpointKey} ${type}`;
    let place = places.get(name);
    if (place === undefined) {
      place = types.push({ endpointKey, type }) - 1;
      places.set(name, place);
      readTypes.push({ type, events: [] });
    }
    readTypes[place]?.events.push({ event, seq, receivedAt, payload });
    return place;
  });
  current = { slice, types: readTypes };
  return { types, typeOf };
}

/** Merges the payloads of the last `read` into the shapes of their types. */
function merge({ slice, types, historyBefore }: MergeRequest): MergedType[] {
  const held = current;
  current = undefined;
  // The thread restarted between the two jobs.
  if (held?.slice !== slice) throw new Error('the slice was not read');
  return types.map((watch, place) => {
    const shape = (watch.shape && readStoredShape(watch.shape)) ?? newShape();
    const drifting: MergedType['drifting'] = [];
    const { type = '', events = [] } = held.types[place] ?? {};
    for (const found of events) {
      if (!found.payload) continue;
      // Events without a type may be of several kinds, so their differences are no drift.
      if (type === '') {
        mergeInto(shape, found.payload, found.seq);
        continue;
      }
      const drifts = learnOne(shape, found.payload, found, watch, historyBefore);
      if (drifts.some(isAlarm)) drifting.push({ event: found.event, drifts });
    }
    return { shape: shape.payloads > 0 ? storedShape(shape) : null, drifting };
  });
}

function accept({ shape, drifts, bodies }: AcceptRequest): Uint8Array {
  const accepted = readStoredShape(shape);
  if (!accepted) return shape;
  acceptDrifts(accepted, drifts, bodies);
  return storedShape(accepted);
}

/** Returns the numbers of the events that each shape depends on. */
function needed(shapes: readonly Uint8Array[]): number[][] {
  return shapes.map((stored) => {
    const shape = readStoredShape(stored);
    return shape ? neededEvents(shape) : [];
  });
}

/** Removes values that only deleted events had. Returns null for an unchanged shape. */
function forgotten({ shapes, gone }: ForgetRequest): (Uint8Array | null)[] {
  return shapes.map((stored) => {
    const shape = readStoredShape(stored);
    return shape && forget(shape, gone) ? storedShape(shape) : null;
  });
}

export const LEARNING_WORK = { read, merge, accept, needed, forget: forgotten };

/** Merges a payload into the shape and returns the drifts. An event that is history has none. */
function learnOne(
  shape: PayloadShape,
  payload: JsonPayload,
  { seq, receivedAt }: ReadEvent,
  { quietTo, isDrifting }: DriftWatch,
  historyBefore: number,
): Drift[] {
  const isHistory = seq <= quietTo || (!isDrifting && receivedAt < historyBefore);
  const drifts = isHistory ? [] : driftOf(shape, payload);
  if (drifts.some(isAlarm)) mergeAllBut(shape, payload, seq, drifts);
  else mergeInto(shape, payload, seq);
  return drifts;
}

/** Returns the type in the headers, otherwise the type in the body, otherwise an empty text. */
function typeName(
  { eventType, provider, contentType, body }: EventToLearn,
  payload: JsonPayload | undefined,
): string {
  if (eventType !== null) return eventType;
  if (!mayNameType(provider)) return '';
  if (payload) return bodyType(provider, payload.value) ?? '';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return bodyType(provider, bodyDocument(bytes, contentType).body) ?? '';
}
