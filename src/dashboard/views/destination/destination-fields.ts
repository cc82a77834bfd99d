import type { CallBody } from '../../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';

type Change = CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>;
export type DestinationSetting = Exclude<keyof Change, 'url' | 'secret' | 'headers'>;

type IsPlain<S extends DestinationSetting> = DestinationAnswer[S] extends string | number | null
  ? S
  : never;
/** A setting with one field. What `sign_as` offers depends on the endpoint's source. */
export type PlainSetting = Exclude<
  { [S in DestinationSetting]: IsPlain<S> }[DestinationSetting],
  'sign_as'
>;

export interface PlainField {
  section: 'address' | 'flow';
  label: string;
  note?: string;
  /** What an empty field means. Absent where the setting is chosen from `options`. */
  placeholder?: string;
  options?: readonly (readonly [value: string, text: string])[];
  /** The value is a number, or `auto`. */
  isNumber?: boolean;
}

/** The fields of each section in their order. A setting without its line here doesn't compile. */
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

export const PLAIN_SETTINGS = Object.keys(PLAIN_FIELDS) as PlainSetting[];

/** The plain settings of a section of the form, without those that stand elsewhere in it. */
export function plainSettingsIn(
  section: PlainField['section'],
  elsewhere: readonly PlainSetting[],
): PlainSetting[] {
  return PLAIN_SETTINGS.filter(
    (name) => PLAIN_FIELDS[name].section === section && !elsewhere.includes(name),
  );
}
