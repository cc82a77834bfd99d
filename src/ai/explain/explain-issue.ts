import type { Issue, NamedIssue } from '../../core/issues/issue.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { type Case, succeeded } from '../diagnose/case.ts';
import { type CaseStores, loadCase } from '../diagnose/load-case.ts';
import { redactUrl } from '../ollama/redact.ts';

/** The longest cause, and the longest suggestion, that an issue stores, characters. */
const MOST_CHARACTERS = 2000;

export interface IssueStores extends CaseStores {
  endpoints: Pick<EndpointStore, 'find'>;
}

/**
 * Diagnoses, by the builtin engine, why the newest event of a `delivery` issue doesn't arrive at
 * its destination. Returns null if the event is gone, was never attempted, or has arrived
 * meanwhile.
 */
export async function explainIssue(
  { issue, endpoint, destination }: NamedIssue,
  stores: IssueStores,
  terms: { now: number; limits: Case['limits'] },
): Promise<NonNullable<Issue['explanation']> | null> {
  const [newest] = issue.eventIds;
  if (newest === undefined || endpoint === null || destination === null) return null;
  const [whole, event] = await Promise.all([
    stores.endpoints.find(issue.userId, endpoint.id),
    stores.events.find(issue.endpointKey, newest),
  ]);
  if (!whole || !event) return null;
  const subject = atOne(await loadCase(event, whole, stores, terms), destination.id);
  const last = subject.attempts.at(-1);
  if (last === undefined || succeeded(last)) return null;
  const { diagnoseEvent } = await import('../diagnose/diagnose-event.ts');
  const { diagnosis, suggestion } = diagnoseEvent(subject);
  return { cause: cut(diagnosis), suggestion: cut(suggestion) };
}

/**
 * Returns the part of a case that is about one destination. Redacts the URLs, because channels send
 * the explanation to Slack, to mailboxes and to other servers.
 */
function atOne(subject: Case, id: string): Case {
  const isHere = (one: { destinationId: string }) => one.destinationId === id;
  const redacted = <T extends { destinationUrl: string }>(one: T): T => ({
    ...one,
    destinationUrl: redactUrl(one.destinationUrl),
  });
  return {
    ...subject,
    destinations: subject.destinations.map((one) => ({ ...one, url: redactUrl(one.url) })),
    attempts: subject.attempts.filter(isHere).map(redacted),
    deliveries: subject.deliveries.filter(isHere).map(redacted),
    neighbours: subject.neighbours.filter(isHere),
  };
}

function cut(text: string): string {
  const characters = [...text];
  const isLong = characters.length > MOST_CHARACTERS;
  return isLong ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : text;
}
