import { expect, test } from 'vitest';
import type { AuditEntryAnswer } from '../../../src/api/accounts/audit-entry-answer.ts';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import type { Page } from '../../../src/api/list-page-answer.ts';
import {
  DEFAULT_ENDPOINT_SETTINGS,
  type EndpointSetting,
} from '../../../src/core/settings/endpoint-settings.ts';
import { expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

failOnLeaks();
const server = serverOfFile();

/** Two values of each setting, as the API takes and shows them. The second is no default. */
const SAMPLES: Record<EndpointSetting, [unknown, unknown]> = {
  name: ['orders', 'renamed'],
  is_active: [true, false],
  response: [null, { status: 202, content_type: 'text/plain', body: 'a\0\ud800~0' }],
  retention: [null, '30d'],
  expect_every: [null, '15m'],
  dedupe: [null, { by: ['body.id'] }],
  on_unjudged: ['deliver', 'hold'],
};
const SETTINGS = Object.keys(DEFAULT_ENDPOINT_SETTINGS) as EndpointSetting[];
const sample = (nth: 0 | 1) =>
  Object.fromEntries(SETTINGS.map((name) => [name, SAMPLES[name][nth]]));

test('each setting is changed alone, shown, and noted in the audit', async () => {
  const account = await register(server);
  const { is_active: _, ...input } = sample(1);
  const made = await account.createEndpoint(input);
  expect(made).toMatchObject({ ...sample(1), is_active: true });
  const path = `/api/endpoints/${made.id}`;
  const change = async (body: object): Promise<EndpointAnswer> =>
    expectStatus(200, await account.call('PATCH', path, body));
  await change({ name: 'orders', is_active: true });
  for (const name of SETTINGS.filter((one) => one !== 'name' && one !== 'is_active')) {
    expect(await change({ [name]: null })).toMatchObject({ [name]: SAMPLES[name][0] });
  }
  expect(await change({})).toMatchObject(sample(0));
  let expected = sample(0);
  for (const name of SETTINGS) {
    const [before, after] = SAMPLES[name];
    expected = { ...expected, [name]: after };
    expect(await change({ [name]: after })).toMatchObject(expected);
    const audit: Page<AuditEntryAnswer> = expectStatus(
      200,
      await account.call('GET', '/api/audit'),
    );
    expect(audit.data[0]?.changes).toEqual({ [name]: [before, after] });
  }
  expect(expectStatus(200, await account.call('GET', path))).toMatchObject(expected);
});

test('a name that another endpoint of the account has is taken with a warning', async () => {
  const account = await register(server);
  const first = await account.createEndpoint({ name: 'shop' });
  expect(first).not.toHaveProperty('warnings');
  const second = await account.createEndpoint({ name: 'shop' });
  const warning = { path: 'name', code: 'same_name', message: `is also the name of ${first.id}` };
  expect(second).toMatchObject({ warnings: [warning] });
  const path = `/api/endpoints/${second.id}`;
  const patch = async (body: object) => expectStatus(200, await account.call('PATCH', path, body));
  expect(await patch({ name: 'shop', retention: '7d' })).not.toHaveProperty('warnings');
  expect(await patch({ name: 'b' })).not.toHaveProperty('warnings');
  expect(await patch({ name: 'shop' })).toMatchObject({ warnings: [warning] });
  expect((await account.call('GET', path)).json).not.toHaveProperty('warnings');
  expect(await (await register(server)).createEndpoint({ name: 'shop' })).not.toHaveProperty(
    'warnings',
  );
});
