import * as v from 'valibot';
import { CURRENT } from '../rules/path.ts';
import { readRequestPath } from '../rules/read-text.ts';
import { strictObject } from './strict-object.ts';
import { syntaxCheck } from './syntax-check.ts';

const MOST_PATHS = 10;
const MOST_CHARACTERS = 500;

const BY = 'must be provider, or a list of paths such as ["header.x-id", "body.id"]';

const path = v.pipe(
  v.string('must be a path, such as body.id'),
  v.maxLength(MOST_CHARACTERS, `must be at most ${MOST_CHARACTERS} characters`),
  syntaxCheck((text) =>
    readRequestPath(text).includes(CURRENT) ? 'must be a path without [$index]' : null,
  ),
  v.metadata({ format: 'hookrelay-path' }),
);

const paths = v.pipe(
  v.array(path, BY),
  v.minLength(1, 'must name a path'),
  v.maxLength(MOST_PATHS, `must be at most ${MOST_PATHS} paths`),
  v.check((all) => new Set(all).size === all.length, 'must name each path once'),
  v.metadata({ uniqueItems: true, examples: [['header.x-id', 'body.id']] }),
);

const provider = v.literal('provider', BY);

/** A union would report a list with a wrong path as no list. So this is no union. */
const by = Object.assign(
  v.lazy((input) => (Array.isArray(input) ? paths : provider)),
  { options: [provider, paths] as const },
);

export const dedupeSchema = strictObject({ by });
