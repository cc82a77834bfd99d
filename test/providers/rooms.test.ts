import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/providers/catalogue.ts';
import { describerOf } from '../../src/providers/describers.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { PROVIDERS } from '../../src/providers/providers.ts';
import { SAMPLES } from '../../src/providers/samples.ts';
import { STAMPS } from '../../src/providers/stamps.ts';
import { ALL_VECTORS } from './all-vectors.ts';

/*
 * A provider is a row of a table in src/providers/tables, or a folder with a line in each list
 * that its files belong to. A file outside all lists would be dead code.
 */

const ROOT = fileURLToPath(new URL('../../src/providers', import.meta.url));
/** Folders that the rooms share. */
const SHARED = [
  'describing',
  'fetched-keys',
  'handshaking',
  'own-sources',
  'reasons',
  'sampling',
  'signing',
  'tables',
];

const rooms = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name);

const roomsWith = (file: string) => rooms.filter((room) => existsSync(`${ROOT}/${room}/${file}`));

const exportsOf = async (room: string, file: string): Promise<unknown[]> =>
  Object.values(await import(`${ROOT}/${room}/${file}`));

const tables = await Promise.all(
  readdirSync(`${ROOT}/tables`).map(async (file) => exportsOf('tables', file)),
);
const rows = tables.flat(2) as Provider[];

test('each provider is a row or a folder, and is listed once', () => {
  const names = [...rooms, ...rows.map(({ name }) => name)];
  expect(PROVIDERS.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(new Set(names).size).toBe(names.length);
  for (const row of rows) expect(PROVIDERS).toContain(row);
});

test('a provider of one file is a row', () => {
  expect(rooms.filter((room) => readdirSync(`${ROOT}/${room}`).length === 1)).toEqual([]);
});

test.each(rooms)('%s has a provider in the list', async (room) => {
  const [provider] = (await exportsOf(room, `${room}.ts`)) as Provider[];
  expect(provider?.name).toBe(room);
  expect(PROVIDERS).toContain(provider);
});

test.each(roomsWith('samples.ts'))('%s has listed samples', async (room) => {
  const [samples = []] = (await exportsOf(room, 'samples.ts')) as (typeof SAMPLES)[];
  expect(samples).not.toHaveLength(0);
  for (const sample of samples) expect(SAMPLES).toContain(sample);
});

test.each(roomsWith('stamp.ts'))('%s has a stamp in the table', async (room) => {
  expect(await exportsOf(room, 'stamp.ts')).toEqual([STAMPS.get(room)]);
});

test('a provider has a signer or a stamp, never both', () => {
  expect(PROVIDERS.map(({ name }) => name)).toEqual(expect.arrayContaining([...STAMPS.keys()]));
  const both = PROVIDERS.filter(({ name, signature }) => signature?.signer && STAMPS.has(name));
  expect(both).toEqual([]);
});

test.each(roomsWith('describe.ts'))('%s has a describer in use', async (room) => {
  expect(await exportsOf(room, 'describe.ts')).toEqual([describerOf(room)]);
});

test('marks are lower-case and belong to one provider each', () => {
  const headers = PROVIDERS.flatMap(({ marks = [] }) => marks.map(({ header }) => header));
  expect(new Set(headers).size).toBe(headers.length);
  const ids = PROVIDERS.flatMap(({ deliveryIdHeader }) => deliveryIdHeader ?? []);
  for (const header of [...headers, ...ids]) expect(header).toBe(header.toLowerCase());
});

test('samples are signed by the provider in their name', () => {
  for (const { name, provider, signature } of SAMPLES) {
    expect(name.startsWith(`${provider}.`)).toBe(true);
    expect(PROVIDERS.filter((one) => one.signature === signature)).toHaveLength(1);
  }
});

const BY_PROVIDER = Map.groupBy(ALL_VECTORS, ({ provider }) => provider);

test('each provider that verifies has requests to verify, and no other has', () => {
  const verifying = PROVIDERS.filter(({ proof }) => proof).map(({ name }) => name);
  const withVectors = [...BY_PROVIDER].filter(([, files]) =>
    files.some(({ vectors }) => vectors.length > 0),
  );
  expect(withVectors.map(([name]) => name).sort()).toEqual(verifying.sort());
  expect([...BY_PROVIDER.keys()].sort()).toEqual(verifying);
});

test.each([...BY_PROVIDER])('%s has a request that its signer is compared with', (name, files) => {
  const vectors = files.flatMap((file) => file.vectors);
  const entry = CATALOGUE.find((one) => one.name === name);
  expect(vectors.some(({ isVerifiedOnly }) => !isVerifiedOnly)).toBe(entry?.signs ?? false);
});
