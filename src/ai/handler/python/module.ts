interface Imports {
  /** Modules that are imported whole. */
  modules: string[];
  /** Names that are imported from a module. */
  names: [module: string, names: string[]][];
}

/** The imports of the standard library, and then those of packages. */
const IMPORTS: Imports[] = [
  {
    modules: ['base64', 'hashlib', 'hmac', 'json', 'logging', 'os', 'time', 'traceback'],
    names: [
      ['datetime', ['date', 'datetime']],
      ['email.utils', ['parsedate_to_datetime']],
      ['pathlib', ['Path']],
      ['typing', ['Any', 'Literal', 'TypeVar']],
      ['urllib.parse', ['parse_qsl']],
      ['uuid', ['UUID', 'uuid4']],
    ],
  },
  {
    modules: ['pytest'],
    names: [
      ['fastapi', ['APIRouter', 'FastAPI', 'Request', 'Response']],
      ['fastapi.testclient', ['TestClient']],
      ['pydantic', ['BaseModel', 'ConfigDict', 'Field', 'RootModel', 'ValidationError']],
      ['starlette.datastructures', ['Headers']],
    ],
  },
];

export function pythonImports(code: string): string {
  const bare = code.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/#.*/g, '');
  const uses = (pattern: string) => new RegExp(pattern).test(bare);
  const groups = IMPORTS.map(({ modules, names }) => [
    ...modules.filter((module) => uses(`\\b${module}\\.`)).map((module) => `import ${module}`),
    ...names.flatMap(([module, all]) => {
      const used = all.filter((name) => uses(`\\b${name}\\b`));
      return used.length > 0 ? [`from ${module} import ${used.join(', ')}`] : [];
    }),
  ]);
  return groups.map((lines) => lines.join('\n')).join('\n\n');
}

/** Puts two blank lines around classes and functions, as PEP 8 demands. */
export function spaced(code: string): string {
  return code
    .replaceAll(/\n\n(?=(?:# .*\n)*(?:class |(?:async )?def |@))/g, '\n\n\n')
    .replaceAll(/(?<=\n {4}.*)\n\n(?=[^\s])/g, '\n\n\n');
}
