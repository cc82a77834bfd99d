import { STATUS_TEXT } from '../../parts/status.tsx';
import { VERIFICATION_WORDS, VERIFICATIONS } from '../../text/verification-text.ts';

type Options = readonly (readonly [value: string, text: string])[];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The choice of two instants instead of a span back from now. */
export const CUSTOM_TIME = 'custom';

/** Filters with their own parameter in the address, and the choices of each filter. */
export const CHOICES: readonly { name: string; label: string; options: Options }[] = [
  {
    name: 'status',
    label: 'Status',
    options: Object.entries(STATUS_TEXT),
  },
  { name: 'waiting', label: 'Deliveries', options: [['true', 'waiting']] },
  { name: 'method', label: 'Method', options: METHODS.map((one) => [one, one] as const) },
  {
    name: 'since',
    label: 'Time',
    options: [
      ['15m', 'last 15 min'],
      ['1h', 'last hour'],
      ['24h', 'last 24 h'],
      ['7d', 'last 7 days'],
      [CUSTOM_TIME, 'from … to …'],
    ],
  },
  {
    name: 'verification',
    label: 'Verification',
    options: VERIFICATIONS.map((state) => [state, VERIFICATION_WORDS[state]] as const),
  },
  {
    name: 'duplicates',
    label: 'Repeats',
    options: [
      ['hide', 'no repeats'],
      ['only', 'only repeats'],
    ],
  },
];
