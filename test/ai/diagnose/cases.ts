import type {
  Case,
  CaseAttempt,
  CaseDelivery,
  CaseDestination,
} from '../../../src/ai/diagnose/case.ts';
import { diagnoseEvent } from '../../../src/ai/diagnose/diagnose-event.ts';
import type { AttemptErrorCode } from '../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';

export const START = Date.parse('2026-11-21T09:00:00.000Z');
export const SECOND = 1000;
export const URL = 'https://shop.example.com/hooks';

let seq = 0;

export function attempt(parts: Partial<CaseAttempt> = {}): CaseAttempt {
  seq++;
  return {
    seq,
    id: `att_${seq}`,
    eventId: 'evt_1',
    endpointId: 'ep_1',
    deliveryId: 'dlv_1',
    destinationId: 'dst_1',
    destinationUrl: URL,
    trigger: 'capture',
    number: 1,
    responseCode: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    durationMs: 120,
    error: null,
    attemptedAt: START,
    nextAttemptAt: null,
    probe: false,
    ruleVersion: 0,
    requestHeaders: null,
    health: null,
    ...parts,
  };
}

export const failedWith = (
  code: AttemptErrorCode,
  message: string,
  parts: Partial<CaseAttempt> = {},
) => attempt({ error: { code, message }, ...parts });
export const answered = (status: number, parts: Partial<CaseAttempt> = {}) =>
  attempt({ responseCode: status, responseBody: '', ...parts });

export function delivery(parts: Partial<CaseDelivery> = {}): CaseDelivery {
  return {
    id: 'dlv_1',
    destinationId: 'dst_1',
    destinationUrl: URL,
    trigger: 'capture',
    state: 'pending',
    attempts: 1,
    nextAttemptAt: START + 60 * SECOND,
    waitsFor: 'retry',
    unjudged: null,
    endedBy: null,
    behind: null,
    ...parts,
  };
}

export function destination({
  settings,
  ...parts
}: Partial<Omit<CaseDestination, 'settings'>> & {
  settings?: Partial<CaseDestination['settings']>;
} = {}): CaseDestination {
  return {
    id: 'dst_1',
    url: URL,
    isSigned: true,
    createdAt: START - 1,
    condition: null,
    ...parts,
    settings: { ...DEFAULT_DESTINATION_SETTINGS, ...settings },
  };
}

export function caseOf(attempts: CaseAttempt[], parts: Partial<Case> = {}): Case {
  return {
    now: START + 30 * SECOND,
    event: {
      id: 'evt_1',
      status: 'failed',
      method: 'POST',
      path: '/a/../b',
      contentType: 'text/csv',
      provider: null,
      size: 200_000,
      receivedAt: START,
      failure: null,
      signature: null,
    },
    endpoint: { id: 'ep_1', isActive: true },
    destinations: [destination()],
    deliveries: attempts.length > 0 ? [delivery()] : [],
    attempts,
    neighbours: [],
    limits: { attemptTimeoutMs: 10_000, attempts: 8 },
    ...parts,
  };
}

export const diagnose = (attempts: CaseAttempt[], parts: Partial<Case> = {}) =>
  diagnoseEvent(caseOf(attempts, parts));
