import * as v from 'valibot';
import { EVENT_STATUS } from '../../core/model.ts';
import { VERIFICATION_STATE } from '../../core/proof/verification.ts';
import { ruleSchema, ruleTextSchema } from '../../core/settings/rule-schema.ts';
import { timestampSchema } from '../../core/settings/timestamp-schema.ts';
import type { EventFilter } from '../../store/contract/events.ts';
import { about } from '../about.ts';
import { oneOf } from '../one-of.ts';

const MAX_TEXT_CODE_POINTS = 256;

function text(description: string) {
  return v.pipe(
    v.string('must be a string'),
    v.metadata({ description, maxLength: MAX_TEXT_CODE_POINTS }),
    v.check(
      (value) => [...value].length <= MAX_TEXT_CODE_POINTS,
      `must be at most ${MAX_TEXT_CODE_POINTS} characters`,
    ),
  );
}

const method = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z-]{1,32}$/, 'must be an HTTP method'),
  v.toUpperCase(),
);

export const eventStatusSchema = oneOf(EVENT_STATUS.names);

const type = text('Event type, from the headers or otherwise from the body.');
const WHERE = ['A rule that events must fit.', 'body.type=invoice.paid'] as const;

const plainEntries = {
  status: v.optional(eventStatusSchema),
  method: v.optional(method),
  from: v.optional(timestampSchema),
  to: v.optional(timestampSchema),
  q: v.optional(text('Literal, case-sensitive text in the body.')),
  type: v.optional(type),
  verification: v.optional(oneOf(VERIFICATION_STATE.names)),
  duplicates: v.optional(
    about(
      v.picklist(['only', 'hide'], 'must be only or hide'),
      'Only events that repeat an earlier one, or none of them.',
    ),
  ),
};

export const contentEntries = {
  type: v.optional(type),
  where: v.optional(ruleTextSchema(`${WHERE[0]} In text or JSON.`, WHERE[1])),
};

const IGNORE_CASE = 'Whether `q` is found whatever its case, by Unicode’s simple case folding.';

const WAITING = 'Only events with an open delivery.';

export const filterQueryEntries = {
  ...plainEntries,
  waiting: v.optional(
    v.pipe(
      v.picklist(['true'], 'must be true'),
      v.description(WAITING),
      v.transform(() => true as const),
    ),
  ),
  ignore_case: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.description(IGNORE_CASE),
      v.transform((value) => value === 'true'),
    ),
  ),
  ...contentEntries,
};

export const filterBodyEntries = {
  ...plainEntries,
  waiting: v.optional(about(v.literal(true, 'must be true'), WAITING)),
  ignore_case: v.optional(about(v.boolean('must be true or false'), IGNORE_CASE)),
  where: v.optional(ruleSchema(`${WHERE[0]} In text or as JSON.`, WHERE[1])),
};

type GivenFilter = {
  [K in keyof Omit<EventFilter, 'ignoreCase'>]?: EventFilter[K] | undefined;
} & { ignore_case?: boolean | undefined };

/** Returns the filters that have a value. Drops an empty text, because every event fits it. */
export function presentFilters({ ignore_case: ignoreCase, ...filter }: GivenFilter): EventFilter {
  const present: EventFilter = Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );
  return ignoreCase && present.q !== undefined ? { ...present, ignoreCase } : present;
}
