export type CodeLanguage = 'typescript' | 'javascript' | 'python' | 'go' | 'json';

const NAMES: Record<string, CodeLanguage> = {
  typescript: 'typescript',
  ts: 'typescript',
  zod: 'typescript',
  javascript: 'javascript',
  js: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  fetch: 'javascript',
  python: 'python',
  py: 'python',
  go: 'go',
  json: 'json',
};

/** Returns the language of a name or of a file extension, or null if there is none. */
export function codeLanguage(name: string): CodeLanguage | null {
  const key = (name.split('.').at(-1) as string).toLowerCase();
  return Object.hasOwn(NAMES, key) ? (NAMES[key] as CodeLanguage) : null;
}
