import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '../command-error.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface EditedText {
  /** The edited text; null if nothing changed. */
  text: Buffer | null;
  /** Path of the file with the text. The file exists until `drop` is called. */
  file: string;
  drop(): void;
}

/**
 * Opens a text in `$VISUAL` or `$EDITOR`, and waits until the editor ends. Only this user can read
 * the file. Throws if no editor is set, or if the editor fails.
 *
 * @param extension extension of the file, such as `json`, for the editor's colours
 */
export async function editText(text: Buffer, extension: string): Promise<EditedText> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) {
    throw failure('no editor is set', 'set VISUAL or EDITOR, or give --body or --body-file');
  }
  const directory = mkdtempSync(join(tmpdir(), 'hookrelay-edit-'));
  const drop = () => rmSync(directory, { recursive: true, force: true });
  const file = join(directory, `body.${extension}`);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await run(editor, file);
    const edited = withoutAddedBreak(text, readFileSync(file));
    return { text: edited.equals(text) ? null : edited, file, drop };
  } catch (error) {
    drop();
    throw error;
  }
}

/** Uses a shell, as git does, because the variable may contain arguments (`code --wait`). */
function run(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$@"`, 'sh', file], { stdio: 'inherit' });
    // While the editor runs, Ctrl-C is for the editor.
    const ignore = () => {};
    process.on('SIGINT', ignore);
    const end = (error: Error | null) => {
      process.off('SIGINT', ignore);
      if (error) reject(error);
      else resolve();
    };
    child.once('error', (error) => end(failure(`the editor does not start: ${error.message}`)));
    child.once('close', (code, signal) => {
      end(code === 0 ? null : failure(`the editor ended with ${code ?? signal}: nothing is sent`));
    });
  });
}

/** Drops the line break that editors add after the last line. */
function withoutAddedBreak(before: Buffer, after: Buffer): Buffer {
  if (before.at(-1) === LINE_FEED || after.at(-1) !== LINE_FEED) return after;
  return after.subarray(0, after.at(-2) === CARRIAGE_RETURN ? -2 : -1);
}
