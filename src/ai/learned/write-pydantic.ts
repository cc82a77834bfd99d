import { quoted, snakeCase, unused } from './identifiers.ts';
import type { NamedTypes } from './named-types.ts';
import {
  isOnlyObject,
  type MemberType,
  type ObjectType,
  type SchemaType,
  type TextType,
} from './schema-type.ts';

/**
 * Python's keywords, the names of types in annotations, and the attributes of pydantic's models.
 */
const RESERVED =
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type bool int float str list dict date datetime uuid construct copy dict from_orm json parse_file parse_obj parse_raw schema schema_json update_forward_refs validate register mro'.split(
    ' ',
  );

const IMPORTS: [module: string, names: string[]][] = [
  ['datetime', ['date', 'datetime']],
  ['typing', ['Any', 'Literal']],
  ['uuid', ['UUID']],
  ['pydantic', ['BaseModel', 'ConfigDict', 'Field', 'RootModel']],
];

type Names = NamedTypes['names'];

/**
 * Writes pydantic models. A model comes after the models that it uses. A member gets an alias if
 * its name isn't valid in Python.
 */
export function writePydantic(root: SchemaType, { name, types, names }: NamedTypes): string {
  const classes = types.map(({ name: own, object }) => classText(own, object, names));
  if (!isOnlyObject(root)) {
    classes.push(`class ${name}(RootModel[${typeText(root, names)}]):\n    pass\n`);
  }
  return classes.join('\n\n');
}

/** Returns a Python module with the models. */
export function pydanticModule(code: string): string {
  return `${pydanticImports(code)}\n\n\n${code}`;
}

/** Returns the imports for the names that the code uses outside of strings. */
function pydanticImports(code: string): string {
  const bare = code.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return IMPORTS.flatMap(([module, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(bare));
    return used.length > 0 ? [`from ${module} import ${used.join(', ')}`] : [];
  }).join('\n');
}

function classText(name: string, { members }: ObjectType, names: Names): string {
  const taken = new Set(RESERVED);
  // pydantic refuses an alias with half of a surrogate pair, so the model ignores such a member.
  const fields = members
    .filter((member) => member.name.isWellFormed())
    .map((member) => fieldText(member, fieldName(member.name, taken), names));
  const hasAlias = fields.some((field) => field.includes('alias='));
  const config = hasAlias ? '    model_config = ConfigDict(populate_by_name=True)\n\n' : '';
  return `class ${name}(BaseModel):\n${config}${fields.join('') || '    pass\n'}`;
}

/** Returns a valid field name. pydantic reserves names that begin with `model_` or `_`. */
function fieldName(name: string, taken: Set<string>): string {
  const isPlain = /^[a-z][a-z0-9_]*$/.test(name);
  const snake = isPlain ? name : snakeCase(name).slice(0, 80);
  const safe = /^(?!model_)[a-z]/.test(snake) ? snake : `field_${snake}`;
  return unused(taken.has(safe) ? `${safe}_` : safe, taken);
}

function fieldText({ name, type, isOptional }: MemberType, field: string, names: Names): string {
  const text = typeText(type, names);
  const shown = isOptional && !type.isAny && !type.isNull ? `${text} | None` : text;
  const settings = [
    ...(isOptional ? ['default=None'] : []),
    ...(field === name ? [] : [`alias=${quoted(name)}`]),
  ];
  if (field === name) return `    ${field}: ${shown}${isOptional ? ' = None' : ''}\n`;
  return `    ${field}: ${shown} = Field(${settings.join(', ')})\n`;
}

function typeText(type: SchemaType, names: Names): string {
  if (type.isAny) return 'Any';
  const parts: string[] = [];
  if (type.object) parts.push(names.get(type.object) ?? 'Any');
  if (type.map) parts.push(`dict[str, ${typeText(type.map, names)}]`);
  if (type.items) parts.push(`list[${typeText(type.items, names)}]`);
  if (type.text) parts.push(textType(type.text));
  if (type.number === 'any-number') parts.push('int', 'float');
  else if (type.number) parts.push(type.number === 'number' ? 'float' : 'int');
  if (type.isBoolean) parts.push('bool');
  if (type.isNull) parts.push('None');
  return parts.join(' | ');
}

function textType({ values, format }: TextType): string {
  if (values) return `Literal[${values.map(quoted).join(', ')}]`;
  if (format === 'date-time') return 'datetime';
  if (format === 'date') return 'date';
  return format === 'uuid' ? 'UUID' : 'str';
}
