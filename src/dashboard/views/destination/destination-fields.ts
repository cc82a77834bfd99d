import type { CallBody } from '../../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';

type Change = CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>;
export type DestinationSetting = Exclude<keyof Change, 'url' | 'secret' | 'headers'>;

type IsPlain<S extends DestinationSetting> = DestinationAnswer[S] extends string | number | null
  ? S
  : never;
/**
 * A setting with one field. Excludes `sign_as`, because its choices depend on the endpoint's
 * source.
 */
export type PlainSetting = Exclude<
  { [S in DestinationSetting]: IsPlain<S> }[DestinationSetting],
  'sign_as'
>;

/** A part of the retry policy or of the rate. */
export type SettingPart =
  | 'attempts'
  | 'base'
  | 'factor'
  | 'max'
  | 'schedule'
  | 'give_up_on'
  | 'rate_limit'
  | 'rate_per';

interface FieldText {
  label: string;
  note?: string;
  /**
   * An example, or the meaning of an empty field. Absent if the field is a choice from `options`.
   */
  placeholder?: string;
  inputMode?: 'numeric';
  options?: readonly (readonly [value: string, text: string])[];
  /** The setting's path in the API's errors; by default the setting's name. */
  path?: string;
}

interface PlainField extends FieldText {
  section: 'address' | 'flow';
  /** Whether the value is a number or `auto`. */
  isNumber?: boolean;
}

/** The fields of each section, in order. A missing setting is a compile error. */
export const PLAIN_FIELDS: Readonly<Record<PlainSetting, PlainField>> = {
  name: { section: 'address', label: 'Name', placeholder: 'none: its URL is its name' },
  path: {
    section: 'address',
    label: 'Path',
    options: [
      ['append', 'add the event’s path and query'],
      ['ignore', 'leave the address as it is'],
    ],
  },
  state: {
    section: 'address',
    label: 'State',
    options: [
      ['active', 'active'],
      ['paused', 'paused: deliveries wait'],
      ['disabled', 'disabled: new events make no deliveries'],
    ],
  },
  timeout: {
    section: 'flow',
    label: 'Timeout',
    note: 'From 1s to 60s.',
    placeholder: 'the server’s',
  },
  concurrency: {
    section: 'flow',
    label: 'Most at once',
    note: 'From 1 to 256. auto finds what the receiver can take.',
    placeholder: 'auto',
    isNumber: true,
  },
  order_by: {
    section: 'flow',
    label: 'Order by',
    note: 'Deliveries with the same value go one at a time, in the order of capture. * orders all of them. A change affects new events.',
    placeholder: 'no order, or body.customer.id',
  },
  breaker: {
    section: 'flow',
    label: 'Breaker',
    note: 'Holds deliveries back after many failures, until a probe succeeds.',
    options: [
      ['on', 'on'],
      ['off', 'off'],
    ],
  },
  hold: {
    section: 'flow',
    label: 'Hold',
    note: 'A delivery that the breaker holds back for longer dies.',
    placeholder: 'for ever',
  },
};

const PART_FIELDS: Readonly<Record<SettingPart, FieldText>> = {
  attempts: { path: 'retry.attempts', label: 'Most attempts' },
  base: { path: 'retry.base', label: 'First delay' },
  factor: { path: 'retry.factor', label: 'Grows by the factor' },
  max: { path: 'retry.max', label: 'Longest delay' },
  schedule: {
    path: 'retry.schedule',
    label: 'Delays before the retries',
    note: 'One attempt more than there are delays.',
    placeholder: '5s, 5m, 2h',
  },
  give_up_on: {
    path: 'retry.give_up_on',
    label: 'Give up on',
    note: 'Statuses at which a delivery dies at once. 4xx leaves out 408 and 429.',
    placeholder: '410',
  },
  rate_limit: {
    path: 'rate.limit',
    label: 'Most starts',
    placeholder: 'no limit',
    inputMode: 'numeric',
  },
  rate_per: {
    path: 'rate.per',
    label: 'In each',
    options: [
      ['second', 'second'],
      ['minute', 'minute'],
      ['hour', 'hour'],
    ],
  },
};

export const FIELDS: Readonly<Record<PlainSetting | SettingPart, FieldText>> = {
  ...PLAIN_FIELDS,
  ...PART_FIELDS,
};

export const PLAIN_SETTINGS = Object.keys(PLAIN_FIELDS) as PlainSetting[];

/** Returns the plain settings of a section, without those in `elsewhere`. */
export function plainSettingsIn(
  section: PlainField['section'],
  elsewhere: readonly PlainSetting[],
): PlainSetting[] {
  return PLAIN_SETTINGS.filter(
    (name) => PLAIN_FIELDS[name].section === section && !elsewhere.includes(name),
  );
}
