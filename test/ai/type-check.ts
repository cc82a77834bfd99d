import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What a handler and its test compile with. */
export const HANDLER_OPTIONS: ts.CompilerOptions = {
  ...{ noUnusedLocals: true, noUnusedParameters: true, types: ['node'] },
  // The test imports the handler as node --test does.
  allowImportingTsExtensions: true,
};

/**
 * The errors of `tsc --strict` for these files, which exist in memory only but find
 * the project's node_modules: `name: message`, empty without errors.
 */
export function typeErrors(
  files: Readonly<Record<string, string>>,
  more: ts.CompilerOptions = {},
): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts'],
    types: [],
    ...more,
  };
  const texts = new Map(Object.entries(files).map(([name, text]) => [`${ROOT}${name}`, text]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
    if (!parsed.has(path)) parsed.set(path, getSourceFile.call(host, path, ...rest));
    return parsed.get(path);
  };
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  const { directoryExists } = host;
  const folders = new Set([...texts.keys()].map((path) => dirname(path)));
  host.directoryExists = (path) => folders.has(path) || directoryExists?.call(host, path) === true;
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path);
  host.getCurrentDirectory = () => ROOT;

  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    return `${diagnostic.file?.fileName.slice(ROOT.length) ?? 'options'}: ${message}`;
  });
}
