import { quoted } from './identifiers.ts';
import type { NamedTypes } from './named-types.ts';
import { isOnlyObject, type MemberType, type ObjectType, type SchemaType } from './schema-type.ts';

/** Writes exported interfaces, the payload's first. Comments name the formats of strings. */
export function writeTypeScript(root: SchemaType, { name, names }: NamedTypes): string {
  const declarations = [...names].map(([object, own]) => declaration(own, object, names));
  if (!isOnlyObject(root)) {
    declarations.unshift(`export type ${name} = ${typeText(root, names)};\n`);
  }
  return declarations.join('\n');
}

type Names = NamedTypes['names'];

function declaration(name: string, { members }: ObjectType, names: Names): string {
  const lines = members.map((member) => memberText(member, names)).join('');
  return `export interface ${name} {\n${lines}}\n`;
}

function memberText({ name, type, isOptional }: MemberType, names: Names): string {
  const format = type.text?.format;
  const comment = format && !type.isAny ? `  /** @format ${format} */\n` : '';
  return `${comment}  ${memberName(name)}${isOptional ? '?' : ''}: ${typeText(type, names)};\n`;
}

export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function typeText(type: SchemaType, names: Names): string {
  if (type.isAny) return 'unknown';
  const parts: string[] = [];
  if (type.object) parts.push(names.get(type.object) ?? 'unknown');
  if (type.map) parts.push(`Record<string, ${typeText(type.map, names)}>`);
  if (type.items) {
    const items = typeText(type.items, names);
    parts.push(/ \| /.test(items) ? `Array<${items}>` : `${items}[]`);
  }
  if (type.text) parts.push(type.text.values?.map(quoted).join(' | ') ?? 'string');
  if (type.number) parts.push('number');
  if (type.isBoolean) parts.push('boolean');
  if (type.isNull) parts.push('null');
  return parts.join(' | ');
}
