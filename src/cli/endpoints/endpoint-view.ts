import type { Endpoint, Source } from '../../api/answers/endpoint.ts';
import { type Column, colour } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

export const endpointColumns: Column<Endpoint>[] = [
  { title: 'name', value: ({ name }) => name, elastic: true },
  {
    title: 'state',
    value: stateText,
    paint: (text, { is_active }) => (is_active ? text : colour('yellow', text)),
  },
  { title: 'capture url', value: ({ capture_url }) => capture_url },
  { title: 'id', value: ({ id }) => id, optional: true },
  { title: 'created', value: ({ created_at }) => timeText(created_at), optional: true },
];

/** Old servers send none of these members. */
const SET_COLUMNS: Column<Endpoint>[] = [
  { title: 'retention', value: ({ retention }) => retention ?? '', optional: true },
  { title: 'expects', value: ({ expect_every }) => expect_every ?? '', optional: true },
  { title: 'source', value: ({ source }) => (source ? sourceName(source) : ''), optional: true },
  { title: 'dedupe', value: dedupeText, optional: true },
  {
    title: 'unjudged',
    value: ({ on_unjudged }) => (on_unjudged === 'hold' ? 'held' : ''),
    optional: true,
  },
];

/** Columns of what only some endpoints have. */
export function setColumns(endpoints: readonly Endpoint[]): Column<Endpoint>[] {
  return SET_COLUMNS.filter(({ value }) => endpoints.some((one) => value(one) !== ''));
}

export function endpointPairs(endpoint: Endpoint): [string, string][] {
  const { response, retention, expect_every, on_unjudged, source, guessed } = endpoint;
  const dedupe = dedupeText(endpoint);
  return [
    ['name', endpoint.name],
    ['id', endpoint.id],
    ['capture url', endpoint.capture_url],
    ['state', stateText(endpoint)],
    ['created', endpoint.created_at],
    // Old servers don't send it.
    ...(retention ? [pair('retention', retention)] : []),
    ...(expect_every ? [pair('expects', `an event every ${expect_every}`)] : []),
    ...(on_unjudged === 'hold' ? [pair('unjudged', 'held for a retry by hand')] : []),
    ...(response ? responsePairs(response) : []),
    ...(source ? sourcePairs(source) : []),
    ...(dedupe === '' ? [] : [pair('dedupe', `by ${dedupe}`)]),
    ...(!source && guessed ? [pair('looks like', guessed)] : []),
  ];
}

export function sourcePairs({ provider, secrets, url, in: place, ...source }: Source) {
  const { enforce, scheme } = source;
  return [
    pair('source', `${provider}, ${enforce ? 'enforced' : 'observed'}`),
    ...secrets.map((secret) => pair('verified with', secret)),
    ...(place === undefined ? [] : [pair('token in', place)]),
    ...(scheme === undefined ? [] : [pair('scheme', JSON.stringify(scheme))]),
    ...(url === null ? [] : [pair('signed url', url)]),
  ];
}

function responsePairs({
  status,
  content_type,
  body,
  headers = {},
}: NonNullable<Endpoint['response']>): [string, string][] {
  return [
    pair('answers', [status, content_type, body].filter((part) => part).join(' ')),
    ...Object.entries(headers).map(([name, value]) => pair('answers with', `${name}: ${value}`)),
  ];
}

function pair(name: string, text: string): [string, string] {
  return [name, text];
}

function sourceName({ provider, enforce }: Source): string {
  return enforce ? `${provider} (enforced)` : provider;
}

function dedupeText({ dedupe }: Endpoint): string {
  if (!dedupe) return '';
  return dedupe.by === 'provider' ? dedupe.by : dedupe.by.join(', ');
}

function stateText({ is_active }: Endpoint): string {
  return is_active ? 'active' : 'paused';
}
