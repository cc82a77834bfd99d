import type { DestinationAnswer, HealthAnswer } from '../../api/destinations/destination-answer.ts';
import type {
  DestinationSetting,
  DestinationSettings,
} from '../../core/settings/destination-settings.ts';
import { SETTING_DESCRIPTIONS } from '../../core/settings/setting-descriptions.ts';
import { spellDuration } from '../../core/text/duration.ts';
import { counted, formatCount, opt } from '../../core/text/words.ts';
import type { Column, Output, Pair } from '../terminal/output.ts';
import { statusColumn, timeText } from '../terminal/value-text.ts';
import { retryText } from './retry-flags.ts';

type Waiting = DestinationAnswer['waiting'];

const SETTINGS = Object.keys(SETTING_DESCRIPTIONS) as DestinationSetting[];

export const destinationColumns: Column<DestinationAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'name', value: ({ name }) => name ?? '', elastic: true, optional: true },
  { title: 'url', value: ({ url }) => url },
  statusColumn('state', conditionOf),
  { title: 'waiting', value: ({ waiting }) => numberText(waiting), align: 'right' },
  { title: 'secret', value: ({ secret }) => secret ?? 'none', optional: true },
  { title: 'added', value: ({ created_at }) => timeText(created_at), optional: true },
];

/**
 * Prints only settings that differ from their defaults.
 *
 * @param made a new secret, which only this output shows
 */
export async function showDestination(
  out: Output,
  destination: DestinationAnswer,
  made: string | null = null,
): Promise<void> {
  const shown = made === null ? destination : { ...destination, secret: made };
  // Import late, because the settings load a regex engine that `--help` doesn't need.
  const { DEFAULT_DESTINATION_SETTINGS } = await import(
    '../../core/settings/destination-settings.ts'
  );
  out.object(shown, (shown) => destinationPairs(shown, DEFAULT_DESTINATION_SETTINGS));
  if (made !== null && !out.json) {
    out.note('The receiver needs this secret to verify signatures. It is not shown again.');
  }
}

export function destinationPairs(
  destination: DestinationAnswer,
  defaults: Readonly<DestinationSettings>,
): Pair[] {
  const { id, name, url, secret, state, headers, health, waiting, created_at } = destination;
  const { previous_expires_at: until } = destination;
  const others = SETTINGS.filter((setting) => setting !== 'name' && setting !== 'state');
  return [
    ['id', id],
    ['name', name],
    ['url', url],
    ['secret', secret ?? 'none'],
    ['old secret', opt`signs too until ${until}`],
    ['state', state],
    ...others.map((setting): Pair => {
      const text = settingText(setting, destination[setting]);
      const isDefault = text === settingText(setting, defaults[setting]);
      return [setting.replaceAll('_', ' '), !isDefault && text];
    }),
    ...Object.entries(headers ?? {}).map(([name, text]): Pair => ['header', `${name}: ${text}`]),
    ['health', healthText(health)],
    ['waiting', waitingText(waiting)],
    ['added', created_at],
  ];
}

/** Returns the state, or the health of an active destination that isn't healthy. */
function conditionOf({ state, health }: DestinationAnswer): string {
  return state === 'active' && health.state !== 'healthy' ? health.state : state;
}

/** Returns a setting's value in the form that its flag takes. Defaults have durations in ms. */
function settingText(setting: DestinationSetting, value: unknown): string {
  if (setting === 'retry' && value !== null) return retryText(value as never);
  if (setting === 'rate' && value !== null) {
    const { limit, per } = value as NonNullable<DestinationSettings['rate']>;
    return `${limit}/${per}`;
  }
  if (setting === 'hold') {
    if (value === null) return 'never';
    return typeof value === 'number' ? spellDuration(value) : String(value);
  }
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a text such as `open since 3 min ago, 12 failures in a row, next probe in 20 s`. */
function healthText(health: HealthAnswer): string {
  const { state, since, consecutive_failures: failures, next_probe_at } = health;
  if (state === 'healthy') return state;
  const parts = [
    state + (since === null ? '' : ` since ${timeText(since)}`),
    ...(failures > 0 ? [`${counted(failures, 'failure')} in a row`] : []),
    ...(next_probe_at === null ? [] : [`next probe ${timeText(next_probe_at)}`]),
  ];
  return parts.join(', ');
}

/** Returns a text such as `12 deliveries, the oldest made 3 min ago`. */
export function waitingText(waiting: Waiting): string {
  const { count, at_least, oldest_at } = waiting;
  if (count === 0) return 'nothing';
  const number = at_least ? `at least ${counted(count, 'delivery')}` : counted(count, 'delivery');
  return oldest_at === null ? number : `${number}, the oldest made ${timeText(oldest_at)}`;
}

function numberText({ count, at_least }: Waiting): string {
  return `${formatCount(count)}${at_least ? '+' : ''}`;
}
