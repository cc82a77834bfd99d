import { goCase, unused } from './identifiers.ts';
import type { NamedTypes } from './named-types.ts';
import { isOnlyObject, type MemberType, type ObjectType, type SchemaType } from './schema-type.ts';

/**
 * Names that a struct tag can hold. `encoding/json` ignores tags with other names (its function
 * `isValidTag`). A backtick would end the tag and begin code, and a comma would end the name.
 */
const TAG_NAME = /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u;

type Names = NamedTypes['names'];

/** The Go type of each kind of number. A `json.Number` keeps every digit. */
const NUMBERS: Record<NonNullable<SchemaType['number']>, string> = {
  integer: 'int64',
  long: 'int64',
  number: 'float64',
  'any-number': 'json.Number',
};

/**
 * Writes Go structs in gofmt's format, the payload's struct first. `encoding/json` has no unions,
 * so a value of several kinds is `any`. Optional and nullable members are pointers.
 */
export function writeGo(root: SchemaType, { name, names }: NamedTypes): string {
  const structs = [...names].map(([object, own]) => structText(own, object, names));
  if (!isOnlyObject(root)) {
    structs.unshift(`type ${name} ${typeText(root, names)}\n`);
  }
  return structs.join('\n');
}

/** Returns a Go file with the types. */
export function goFile(code: string): string {
  const imports = /^\t\w.*\btime\.Time\b/m.test(code) || /^type \w+ .*time\.Time/m.test(code);
  return [`package webhooks\n`, ...(imports ? ['import "time"\n'] : []), code].join('\n');
}

function structText(name: string, { members }: ObjectType, names: Names): string {
  const held = members.filter((member) => TAG_NAME.test(member.name));
  const taken = new Set<string>();
  const rows = held.map((member) => [
    fieldName(member.name, taken),
    memberType(member, names),
    tagOf(member),
  ]);
  const widths = [0, 1].map((i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map(
    ([field = '', type = '', tag = '']) =>
      `\t${field.padEnd(widths[0] ?? 0)} ${type.padEnd(widths[1] ?? 0)} ${tag}\n`,
  );
  const leftOut = members.length - held.length;
  const note =
    leftOut > 0 ? `\t// Left out, because a tag can't hold their names: ${leftOut}\n` : '';
  if (lines.length === 0 && note === '') return `type ${name} struct{}\n`;
  return `type ${name} struct {\n${note}${lines.join('')}}\n`;
}

function fieldName(name: string, taken: Set<string>): string {
  const own = goCase(name).slice(0, 80);
  return unused(/^[A-Za-z]/.test(own) ? own : `Field${own}`, taken);
}

function tagOf({ name, isOptional }: MemberType): string {
  // `encoding/json` skips a field whose tag is only a dash. With a comma after the dash, the dash
  // is a name.
  const after = isOptional ? ',omitempty' : name === '-' ? ',' : '';
  return `\`json:"${name}${after}"\``;
}

function memberType({ type, isOptional }: MemberType, names: Names): string {
  const text = typeText(type, names);
  const mayBeNil = text === 'any' || /^[*[]|^map\[/.test(text);
  return isOptional && !mayBeNil ? `*${text}` : text;
}

function typeText(type: SchemaType, names: Names): string {
  const texts = type.isAny ? [] : goTypes(type, names);
  const [text] = texts;
  if (text === undefined || texts.length > 1) return 'any';
  return type.isNull && !/^\[|^map\[/.test(text) && text !== 'any' ? `*${text}` : text;
}

function goTypes(type: SchemaType, names: Names): string[] {
  const parts: string[] = [];
  if (type.object) parts.push(names.get(type.object) ?? 'any');
  if (type.map) parts.push(`map[string]${typeText(type.map, names)}`);
  if (type.items) parts.push(`[]${typeText(type.items, names)}`);
  if (type.text) parts.push(type.text.format === 'date-time' ? 'time.Time' : 'string');
  if (type.number) parts.push(NUMBERS[type.number]);
  if (type.isBoolean) parts.push('bool');
  return parts;
}
