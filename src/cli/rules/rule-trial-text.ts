import { styleText } from 'node:util';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { RuleOutcome, RuleTrialAnswer } from '../../api/rules/rule-answer.ts';
import { counted, formatCount } from '../../core/text/words.ts';
import type { ApiClient } from '../client/api-client.ts';
import { eventHead } from '../client/event-params.ts';
import { hasCode } from '../command-error.ts';
import { typeText } from '../events/event-tables.ts';
import { type Column, dim, type Output, printable } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const MAX_SHOWN = 20;
const SHOWN_SAMPLES = 10;

/** Returns lines such as `tried on 1,000 events: 212 match, 788 are dropped`. */
export function trialLines({ tried, matched, dropped, failed }: RuleTrialAnswer): string[] {
  const matches = `${formatCount(matched)} ${matched === 1 ? 'matches' : 'match'}`;
  const drops = `${formatCount(dropped)} ${dropped === 1 ? 'is' : 'are'} dropped`;
  const line = `tried on ${counted(tried, 'event')}: ${matches}, ${drops}`;
  if (failed === 0) return [line];
  const has = failed === 1 ? 'has' : 'have';
  return [line, `${counted(failed, 'event')} ${has} a value that the rule cannot take`];
}

export function changedText({ changed_total }: RuleTrialAnswer, label: string): string {
  const changes =
    changed_total === 0
      ? 'the outcome is the same for every event'
      : `the outcome differs for ${counted(changed_total, 'event')}`;
  return `compared with the present rule of ${printable(label)}, ${changes}`;
}

interface Row {
  /** Null if the event was deleted. */
  event: EventSummaryAnswer | null;
}

const EVENT_COLUMNS: Column<Row>[] = [
  { title: 'received', value: ({ event }) => (event ? timeText(event.received_at) : '') },
  {
    title: 'type',
    value: ({ event }) => (event ? typeText(event) : ''),
    elastic: true,
    optional: true,
  },
];

export async function showChanged(
  { client, out }: { client: ApiClient; out: Output },
  { changed, changed_total }: RuleTrialAnswer,
): Promise<void> {
  const shown = changed.slice(0, MAX_SHOWN);
  const rows = await rowsOf(client, shown);
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'event', value: ({ event_id }) => event_id },
    {
      title: 'before',
      value: ({ before }) => before,
      paint: (text, row) => paint(text, row.before),
    },
    { title: 'after', value: ({ after }) => after, paint: (text, row) => paint(text, row.after) },
    ...EVENT_COLUMNS,
  ];
  out.rows(rows, columns, '');
  const more = changed_total - shown.length;
  if (more > 0) out.note(`and ${counted(more, 'other event')}`);
}

export async function showSamples(
  { client, out }: { client: ApiClient; out: Output },
  { samples }: RuleTrialAnswer,
): Promise<void> {
  const rows = await rowsOf(client, samples.slice(0, SHOWN_SAMPLES));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'sample', value: ({ event_id }) => event_id },
    {
      title: 'result',
      value: ({ output }) => output,
      paint: (text, row) => paint(text, row.output),
    },
    ...EVENT_COLUMNS,
  ];
  out.rows(rows, columns, '');
}

/** Prints the values that the rule can't handle, each with an event that contains it. */
export function showErrors(out: Output, { samples }: RuleTrialAnswer): void {
  const failed = samples.filter(({ error }) => error !== undefined);
  for (const [error, [first, ...others] = []] of Map.groupBy(failed, (one) => one.error)) {
    const more = others.length > 0 ? ` and ${counted(others.length, 'other sample')}` : '';
    out.line(printable(error as string));
    out.line(dim(`  in ${printable(first?.event_id ?? '')}${more}`));
  }
}

function paint(text: string, outcome: RuleOutcome): string {
  return outcome === 'matched' ? styleText('green', text) : text;
}

async function rowsOf<T extends { event_id: string }>(
  client: ApiClient,
  items: readonly T[],
): Promise<(T & Row)[]> {
  return Promise.all(
    items.map(async (item) => ({ ...item, event: await eventOrNull(client, item.event_id) })),
  );
}

async function eventOrNull(client: ApiClient, id: string): Promise<EventSummaryAnswer | null> {
  try {
    return await eventHead(client, id);
  } catch (error) {
    if (hasCode(error, 'event_not_found')) return null;
    throw error;
  }
}
