/*
 * The layer law: imports point inward, cli → server → api → ingress, accounts, capture, live,
 * ai → providers, store contract → core. Rooms on the same floor don't import each other.
 *
 * A file belongs to the first room whose place it is in. A place is a path below `src`; one that
 * ends in `/` is a folder. A room imports itself and `imports`, and `types` by `import type`.
 */

const CORE = 'core/';
const CONTRACT = 'store/contract/';
/** Where bodies name the types of events. */
const BODY_TYPE = 'providers/body-type.ts';
/** What clients share with the API. */
const API_TYPES = ['api/client/', 'api/*-answer.ts'];
const CALL_TARGET = 'api/client/call-target.ts';

/** What each noun of the stores imports of the others. */
const STORE_NOUNS = {
  destinations: [],
  issues: [],
  deliveries: ['destinations'],
  events: ['deliveries'],
  endpoints: ['events'],
  judging: ['events'],
  types: ['events'],
  'search-index': ['events'],
  overview: ['destinations', 'endpoints', 'events', 'issues'],
  queue: ['deliveries', 'destinations', 'events'],
  live: ['deliveries', 'endpoints', 'events'],
  upkeep: ['events', 'queue'],
  search: ['endpoints', 'events', 'judging', 'live', 'search-index'],
  rejected: ['events', 'upkeep'],
  replays: ['deliveries', 'destinations', 'events', 'judging', 'queue', 'search'],
  capture: ['destinations', 'events', 'queue', 'rejected', 'search-index'],
};
/** Files that implement a part of the contract. They import any noun, and no noun imports them. */
const FACES = [
  ...['deliveries', 'destinations', 'endpoints', 'events', 'issues', 'live', 'queue'],
  ...['rejected', 'replays', 'types', 'upkeep'],
]
  .map((noun) => `${noun}/${noun}.ts`)
  .concat('accounts/', 'issues/channels.ts', 'live/feed.ts');

/** Folders beside those of single providers. */
const SHARED_BY_PROVIDERS =
  '^src/providers/(describing|fetched-keys|handshaking|own-sources|reasons|sampling|signing)/';

const API_NOUNS = {
  ...{ accounts: [], deliveries: [], destinations: [], sources: [], system: [], types: [] },
  events: ['deliveries'],
  endpoints: ['sources'],
  streams: ['deliveries', 'events'],
  replays: ['events'],
  rules: ['destinations', 'events'],
  issues: ['endpoints'],
  channels: ['destinations'],
  overview: ['destinations', 'issues'],
  ai: ['types'],
  dashboard: ['accounts'],
};
const API_IMPORTS = [CORE, 'accounts/', 'capture/', 'ingress/', 'live/', 'ai/', 'providers/'];

const CLI_NOUNS = {
  ...{ ai: [], data: [], destinations: [], issues: [], serve: [], sources: [], types: [] },
  accounts: ['data'],
  doctor: ['data'],
  events: ['destinations'],
  channels: ['destinations'],
  trigger: ['destinations'],
  endpoints: ['destinations', 'sources'],
  deliveries: ['events'],
  rules: ['events'],
  streams: ['events'],
  listen: ['accounts', 'events', 'serve', 'streams'],
  replays: ['events', 'listen', 'streams'],
};
/** Local commands open a store. The parts of a backend stay behind `store/open.ts`. */
const CLI_IMPORTS = [
  ...[CORE, 'config/', 'server/serve.ts', 'server/start-server.ts', 'store/open.ts'],
  ...['accounts/', 'delivery/', 'providers/', CALL_TARGET, 'cli/client/', 'cli/terminal/'],
  'cli/*-part.ts',
];

const ROOMS = [
  { place: CORE },
  { place: 'config/', imports: [CORE] },
  ...API_TYPES.map((place) => ({ place, types: ['api/', 'core/model.ts'] })),
  { place: 'dashboard/', imports: ['core/text/', CALL_TARGET], types: API_TYPES },

  { place: CONTRACT, imports: [CORE] },
  { place: 'store/shared/', imports: [CORE, BODY_TYPE], types: [CONTRACT] },
  ...store('sqlite', { files: [], threads: [] }, ['reader-thread', 'search-index']),
  ...store('postgres', { connection: [], cluster: ['connection'] }, []),
  {
    place: 'store/open.ts',
    imports: [CORE, 'store/sqlite/', 'store/postgres/'],
    types: [CONTRACT],
  },

  { place: 'providers/', imports: [CORE] },
  { place: 'live/', imports: [CORE], types: [CONTRACT] },
  { place: 'accounts/', imports: [CORE], types: [CONTRACT] },
  { place: 'capture/', imports: [CORE, 'providers/'], types: [CONTRACT] },
  { place: 'ai/', imports: [CORE, 'providers/'], types: [CONTRACT] },
  { place: 'maintenance/', imports: [CORE, BODY_TYPE], types: [CONTRACT] },
  { place: 'ingress/', imports: [CORE, 'capture/'] },
  { place: 'delivery/network/', imports: [CORE] },
  // No attempt knows its transport: retries and settlements are the same for all.
  {
    place: 'delivery/attempt/',
    imports: [CORE, 'delivery/transports/not-sent.ts'],
    types: [CONTRACT, 'delivery/transports/transport.ts'],
  },
  { place: 'delivery/schedule/', imports: [CORE], types: [CONTRACT] },
  // Attempts are signed as providers sign.
  {
    place: 'delivery/transports/',
    imports: [CORE, 'delivery/network/', 'providers/'],
    types: [CONTRACT],
  },
  ...nouns('api', API_NOUNS, API_IMPORTS, [CONTRACT, ...API_TYPES]),
  {
    place: 'server/start-server.ts',
    imports: [CORE, 'config/config.ts', 'store/open.ts', 'server/', 'ingress/client-limits.ts'],
    types: [CONTRACT],
  },
  {
    place: 'server/',
    imports: [...API_IMPORTS, 'api/', 'config/config.ts', 'delivery/', 'maintenance/'],
    types: [CONTRACT],
  },
  { place: 'cli/terminal/', imports: [CORE, 'cli/command-error.ts'] },
  ...nouns('cli', CLI_NOUNS, CLI_IMPORTS, [CONTRACT, ...API_TYPES, 'server/']),
];

/** The nouns of a room, and last what they share: the files at its root. */
function nouns(room, table, imports, types) {
  const folders = Object.entries(table).map(([noun, others]) => ({
    place: `${room}/${noun}/`,
    imports: [...imports, ...others.map((other) => `${room}/${other}/`), `${room}/[^/]+[.]tsx?`],
    types,
  }));
  return [...folders, { place: `${room}/`, imports, types }];
}

/** The rooms of a backend. `machinery` imports no noun; `readers` may be imported by type. */
function store(name, machinery, readers) {
  const at = (folder) => `store/${name}/${folder}`;
  const below = [CORE, 'store/shared/', BODY_TYPE];
  const folders = (names) => names.map((folder) => at(`${folder}/`));
  const base = [...below, ...folders(Object.keys(machinery))];
  const types = [CONTRACT, ...folders(readers)];
  return [
    ...Object.entries(machinery).map(([folder, others]) => ({
      place: at(`${folder}/`),
      imports: [...below, ...folders(others)],
      types: [CONTRACT],
    })),
    ...FACES.map((face) => ({
      place: at(face),
      imports: [...base, ...FACES.map(at), ...folders(Object.keys(STORE_NOUNS))],
      types,
    })),
    ...Object.entries(STORE_NOUNS).map(([noun, others]) => ({
      place: at(`${noun}/`),
      imports: [...base, ...folders(others)],
      types,
    })),
    { place: at(''), imports: below, types },
  ];
}

/** The pattern of the files in places: `*` stands for any text. */
function inside(places) {
  const patterns = places.map((place) => {
    const path = place.includes('[') ? place : place.replaceAll('.', '[.]').replaceAll('*', '.*');
    return `^src/${path}${/(^|\/)$/.test(place) ? '' : '$'}`;
  });
  return patterns.join('|');
}

const laws = ROOMS.flatMap(({ place, imports = [], types = [] }, i) => {
  const earlier = ROOMS.slice(0, i).map((room) => room.place);
  const from = { path: inside([place]), ...(i > 0 && { pathNot: inside(earlier) }) };
  const but = (places) => ({ path: '^src/', pathNot: inside([place, ...places]) });
  return [
    { name: `${place} may not import it`, from, to: but([...imports, ...types]) },
    {
      name: `${place} may import its types only`,
      from,
      to: { ...but(imports), preCompilationOnly: false },
    },
  ];
});

const stores = ['sqlite', 'postgres'].map((name) => `store/${name}/`);
const faces = stores.flatMap((store) => FACES.map((face) => store + face));

export default {
  forbidden: [
    ...laws,
    {
      name: 'every file has a room',
      from: { path: '^src/', pathNot: inside(ROOMS.map(({ place }) => place)) },
      to: {},
    },
    {
      name: 'only faces, the store and administration import a face',
      from: {
        path: inside(stores),
        pathNot: inside([
          ...faces,
          ...stores.flatMap((at) => [`${at}administration/`, `${at}[^/]+[.]ts`]),
        ]),
      },
      to: { path: inside(faces) },
    },
    { name: 'no cycles, not even of types', from: {}, to: { circular: true } },
    {
      name: 'a folder or file says what it has',
      from: {},
      to: { path: '^src/.*/(util|utils|helper|helpers|lib|common|misc)[/.]' },
    },
    {
      name: 'a provider imports no other provider',
      from: { path: '^src/providers/([^/]+)/' },
      to: { path: '^src/providers/[^/]+/', pathNot: [SHARED_BY_PROVIDERS, '^src/providers/$1/'] },
    },
    {
      name: 'capture loads no samples and no describers',
      from: { path: '^src/capture/capture[.]ts$' },
      to: { path: '^src/providers/.*(sampl|describ)', reachable: true },
    },
    {
      name: 'the types of clients need no handler',
      from: { path: '^src/api/client/api[.]ts$' },
      to: { path: '-routes[.]ts$', reachable: true },
    },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: { tsPreCompilationDeps: 'specify', doNotFollow: { path: 'node_modules' } },
};
