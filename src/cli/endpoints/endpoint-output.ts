import type {
  EndpointAnswer,
  EndpointChoice,
  SourceAnswer,
} from '../../api/endpoints/endpoint-answer.ts';
import { opt } from '../../core/text/words.ts';
import type { Column, Pair } from '../terminal/output.ts';
import { statusColumn, timeText } from '../terminal/value-text.ts';

export const endpointColumns: Column<EndpointAnswer>[] = [
  { title: 'name', value: ({ name }) => name, elastic: true },
  statusColumn('state', stateText),
  { title: 'capture url', value: ({ capture_url }) => capture_url },
  { title: 'id', value: ({ id }) => id, optional: true },
  { title: 'created', value: ({ created_at }) => timeText(created_at), optional: true },
];

type Shown = Exclude<EndpointChoice, 'name' | 'is_active'>;

/** Null for a setting without a column. Old servers omit some settings. */
const SET_COLUMNS: Readonly<Record<Shown, Column<EndpointAnswer> | null>> = {
  response: null,
  retention: { title: 'retention', value: ({ retention }) => retention ?? '' },
  expect_every: { title: 'expects', value: ({ expect_every }) => expect_every ?? '' },
  source: { title: 'source', value: ({ source }) => (source ? sourceName(source) : '') },
  dedupe: { title: 'dedupe', value: dedupeText },
  on_unjudged: {
    title: 'unjudged',
    value: ({ on_unjudged }) => (on_unjudged === 'hold' ? 'held' : ''),
  },
};

/** A default has no line. */
const PAIRS: Readonly<Record<Shown, (endpoint: EndpointAnswer) => Pair[]>> = {
  retention: ({ retention }) => [['retention', retention]],
  expect_every: ({ expect_every }) => [['expects', opt`an event every ${expect_every}`]],
  on_unjudged: ({ on_unjudged }) => [
    ['unjudged', on_unjudged === 'hold' && 'held until you retry them'],
  ],
  response: ({ response }) => (response ? responsePairs(response) : []),
  source: ({ source }) => (source ? sourcePairs(source) : []),
  dedupe: (endpoint) => [['dedupe', dedupeText(endpoint) && `by ${dedupeText(endpoint)}`]],
};

export function setColumns(endpoints: readonly EndpointAnswer[]): Column<EndpointAnswer>[] {
  return Object.values(SET_COLUMNS)
    .filter((column) => column !== null)
    .filter(({ value }) => endpoints.some((one) => value(one) !== ''))
    .map((column) => ({ ...column, optional: true }));
}

export function endpointPairs(endpoint: EndpointAnswer): Pair[] {
  const { name, id, capture_url, created_at, source, guessed } = endpoint;
  return [
    ['name', name],
    ['id', id],
    ['capture url', capture_url],
    ['state', stateText(endpoint)],
    ['created', created_at],
    ...Object.values(PAIRS).flatMap((pairs) => pairs(endpoint)),
    ['looks like', !source && guessed],
  ];
}

function sourcePairs({ provider, secrets, url, in: place, enforce, scheme }: SourceAnswer): Pair[] {
  return [
    ['source', `${provider}, ${enforce ? 'enforced' : 'observed'}`],
    ...secrets.map((secret): Pair => ['verified with', secret]),
    ['token in', place],
    ['scheme', scheme && JSON.stringify(scheme)],
    ['signed url', url],
  ];
}

type Response = NonNullable<EndpointAnswer['response']>;

function responsePairs({ status, content_type, body, headers = {} }: Response): Pair[] {
  return [
    ['answers', [status, content_type, body].filter((part) => part).join(' ')],
    ...Object.entries(headers).map(([name, value]): Pair => ['answers with', `${name}: ${value}`]),
  ];
}

function sourceName({ provider, enforce }: SourceAnswer): string {
  return enforce ? `${provider} (enforced)` : provider;
}

function dedupeText({ dedupe }: EndpointAnswer): string {
  if (!dedupe) return '';
  return dedupe.by === 'provider' ? dedupe.by : dedupe.by.join(', ');
}

function stateText({ is_active }: EndpointAnswer): string {
  return is_active ? 'active' : 'paused';
}
