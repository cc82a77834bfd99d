import { quoted } from './identifiers.ts';
import type { NamedTypes } from './named-types.ts';
import {
  isOnlyObject,
  type MemberType,
  type ObjectType,
  type SchemaType,
  type TextFormat,
  type TextType,
} from './schema-type.ts';
import { memberName } from './write-typescript.ts';

/** zod's `uuid` refuses UUIDs of unknown versions, but `guid` accepts all. */
const FORMATS: Record<TextFormat, string> = {
  'date-time': 'z.iso.datetime({ offset: true })',
  date: 'z.iso.date()',
  uuid: 'z.guid()',
  uri: 'z.url()',
  email: 'z.email()',
};

/** Writes zod schemas. A schema comes after the schemas that it uses. */
export function writeZod(root: SchemaType, { name, types, names }: NamedTypes): string {
  const used = new Set<ObjectType>();
  addUsed(root, used);
  const declarations = types
    .filter(({ object }) => used.has(object))
    .map(({ name: own, object }) => {
      const lines = membersOf(object).map((member) => memberText(member, names));
      return `const ${own} = z.object({\n${lines.join('')}});\n`;
    });
  if (!isOnlyObject(root)) {
    declarations.push(`const ${name} = ${schemaText(root, names)};\n`);
  }
  return declarations.join('\n');
}

export function zodModule(code: string, name: string): string {
  const exported = code.replaceAll(/^const /gm, 'export const ');
  return `import { z } from 'zod';\n\n${exported}\nexport type ${name} = z.infer<typeof ${name}>;\n`;
}

type Names = NamedTypes['names'];

/** Leaves out `__proto__`, because an object literal can't have such a member. */
function membersOf({ members }: ObjectType): MemberType[] {
  return members.filter(({ name }) => name !== '__proto__');
}

function addUsed({ object, map, items }: SchemaType, used: Set<ObjectType>): void {
  if (object && !used.has(object)) {
    used.add(object);
    for (const { type } of membersOf(object)) addUsed(type, used);
  }
  if (map) addUsed(map, used);
  if (items) addUsed(items, used);
}

function memberText({ name, type, isOptional }: MemberType, names: Names): string {
  return `  ${memberName(name)}: ${schemaText(type, names)}${isOptional ? '.optional()' : ''},\n`;
}

function schemaText(type: SchemaType, names: Names): string {
  if (type.isAny) return 'z.unknown()';
  const parts: string[] = [];
  if (type.object) parts.push(names.get(type.object) ?? 'z.unknown()');
  if (type.map) parts.push(`z.record(z.string(), ${schemaText(type.map, names)})`);
  if (type.items) parts.push(`z.array(${schemaText(type.items, names)})`);
  if (type.text) parts.push(textSchema(type.text));
  // zod's `int` accepts only integers that a double holds exactly.
  if (type.number) parts.push(type.number === 'integer' ? 'z.int()' : 'z.number()');
  if (type.isBoolean) parts.push('z.boolean()');
  const schema = parts.length > 1 ? `z.union([${parts.join(', ')}])` : (parts[0] ?? 'z.null()');
  return type.isNull ? `${schema}.nullable()` : schema;
}

function textSchema({ values, format }: TextType): string {
  if (format) return FORMATS[format];
  if (!values) return 'z.string()';
  const texts = values.map(quoted);
  return texts.length === 1 ? `z.literal(${texts[0]})` : `z.enum([${texts.join(', ')}])`;
}
