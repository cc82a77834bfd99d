import { Command } from '@commander-js/extra-typings';
import { safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';
import type {
  DestinationAnswer,
  RetryPolicyAnswer,
} from '../../../src/api/destinations/destination-answer.ts';
import {
  addDestinationSettingChangeFlags,
  addDestinationSettingFlags,
  chosenDestinationSettings,
} from '../../../src/cli/destinations/destination-flags.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  destinationSettingsSchema,
} from '../../../src/core/settings/destination-settings.ts';
import { SETTING_DESCRIPTIONS } from '../../../src/core/settings/setting-descriptions.ts';

/** What the flags of `edit` ask for. */
function chosen(args: string[], retry: RetryPolicyAnswer | null = null): Record<string, unknown> {
  const present = { retry } as DestinationAnswer;
  return chosenDestinationSettings(parsed(args).opts(), present);
}

function parsed(args: string[]): Command {
  const command = addDestinationSettingChangeFlags(new Command('edit')).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  return command.parse(args, { from: 'user' });
}

describe('each setting has a flag whose value the API takes', () => {
  const cases: Record<string, [string[], unknown]> = {
    name: [['--name', 'billing'], 'billing'],
    filter: [['--filter', 'body.a=1'], 'body.a=1'],
    state: [['--state', 'disabled'], 'disabled'],
    path: [['--path', 'ignore'], 'ignore'],
    timeout: [['--timeout', '30s'], '30s'],
    retry: [
      [
        '--retry-attempts',
        '5',
        '--retry-base',
        '10s',
        '--retry-factor',
        '1.5',
        '--retry-max',
        '1h',
      ],
      { attempts: 5, base: '10s', factor: 1.5, max: '1h' },
    ],
    rate: [['--rate', '10/second'], { limit: 10, per: 'second' }],
    concurrency: [['--concurrency', '64'], 64],
    order_by: [['--order-by', 'body.customer.id'], 'body.customer.id'],
    breaker: [['--breaker', 'off'], 'off'],
    hold: [['--hold', '12h'], '12h'],
    sign_as: [['--sign-as', 'provider'], 'provider'],
  };

  test('no setting is forgotten', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(SETTING_DESCRIPTIONS).sort());
    expect(Object.keys(DEFAULT_DESTINATION_SETTINGS).sort()).toEqual(Object.keys(cases).sort());
  });

  test.each(Object.entries(cases))('%s', (name, [args, value]) => {
    expect(chosen(args)).toEqual({ [name]: value });
    expect(safeParse(destinationSettingsSchema, chosen(args)).issues).toBeUndefined();
  });

  test.each(Object.entries(cases))('%s has a flag at add too', (name, [args, value]) => {
    const command = addDestinationSettingFlags(new Command('add')).parse(args, { from: 'user' });
    expect(chosenDestinationSettings(command.opts(), null)).toEqual({ [name]: value });
  });
});

test('words for values', () => {
  expect(chosen(['--rate', '5/m'])).toEqual({ rate: { limit: 5, per: 'minute' } });
  expect(chosen(['--rate', '5 / hour'])).toEqual({ rate: { limit: 5, per: 'hour' } });
  expect(chosen(['--concurrency', 'auto'])).toEqual({ concurrency: 'auto' });
  expect(chosen(['--hold', 'never'])).toEqual({ hold: null });
  expect(chosen([])).toEqual({});
});

test('--no-… restores a default', () => {
  const names = ['name', 'filter', 'state', 'path', 'timeout', 'retry', 'rate', 'concurrency'];
  for (const name of names) expect(chosen([`--no-${name}`])).toEqual({ [name]: null });
});

test('--no-breaker and --no-hold read as their opposites, and are refused', () => {
  expect(() => chosen(['--no-breaker'])).toThrow('--no-breaker is ambiguous');
  expect(() => chosen(['--no-hold'])).toThrow('--no-hold is ambiguous');
});

describe('a retry policy', () => {
  const growing: RetryPolicyAnswer = {
    attempts: 3,
    base: '1s',
    factor: 2,
    max: '1m',
    give_up_on: [404],
  };
  const scheduled: RetryPolicyAnswer = { schedule: ['5s', '5m'] };
  const server = { attempts: 8, base: '5s', factor: 5, max: '24h' };

  const cases: [string[], RetryPolicyAnswer | null, unknown][] = [
    [['--retry-attempts', '5'], null, { ...server, attempts: 5 }],
    [['--retry-attempts', '5'], growing, { ...growing, attempts: 5 }],
    [['--retry-attempts', '5'], scheduled, { ...server, attempts: 5 }],
    [['--retry-schedule', '5s, 5m,2h'], null, { schedule: ['5s', '5m', '2h'] }],
    [['--retry-schedule', '5s'], growing, { schedule: ['5s'], give_up_on: [404] }],
    [['--give-up-on', '4xx,501'], null, { ...server, give_up_on: ['4xx', 501] }],
    [['--give-up-on', '4xx'], scheduled, { ...scheduled, give_up_on: ['4xx'] }],
    [['--give-up-on', 'none'], growing, { ...growing, give_up_on: [] }],
    [['--no-give-up-on'], growing, { attempts: 3, base: '1s', factor: 2, max: '1m' }],
    [['--no-give-up-on'], scheduled, scheduled],
    [['--no-retry'], growing, null],
  ];
  test.each(cases)('%j changes %j', (args, present, retry) => {
    expect(chosen(args, present)).toEqual({ retry });
  });

  test("without one, the server's gives up on 410 only already", () => {
    expect(chosen(['--no-give-up-on'])).toEqual({});
  });

  test('--no-retry contradicts the other flags', () => {
    expect(() => chosen(['--no-retry', '--retry-attempts', '5'])).toThrow('--no-retry excludes');
    expect(() => chosen(['--no-retry', '--give-up-on', '4xx'])).toThrow('--no-retry excludes');
  });
});

test.each([
  [['--rate', '10']],
  [['--rate', '10/day']],
  [['--rate', '1e3/second']],
  [['--rate', '10/toString']],
  [['--concurrency', 'all']],
  [['--concurrency', '1.5']],
  [['--timeout', '30']],
  [['--hold', 'ever']],
  [['--state', 'stopped']],
  [['--breaker', 'true']],
  [['--retry-attempts', '0']],
  [['--retry-attempts', '101']],
  [['--retry-factor', '0.5']],
  [['--retry-factor', '101']],
  [['--retry-base', 'soon']],
  [['--retry-schedule', '5s,,5m']],
  [['--retry-schedule', '']],
  [['--retry-schedule', '5s', '--retry-base', '5s']],
  [['--give-up-on', '200']],
  [['--give-up-on', '4xx,600']],
  [['--give-up-on', '']],
])('%j is wrong usage', (args) => {
  expect(() => parsed(args)).toThrow(
    expect.objectContaining({ exitCode: 1, code: expect.stringMatching(/^commander\./) }),
  );
});
