import { healthLine, stdoutSurface } from '../../events/event-line.ts';
import { connectionNote } from '../../streams/connection-item.ts';
import type { HealthChange } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import { printable } from '../../terminal/output.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import { infoLines } from './info-lines.ts';
import type { ListenInfo, ListenView } from './listen-view.ts';
import { decodeKeys } from './screen-keys.ts';
import { pageLines, type ScreenSize, screenLines, wrapped } from './screen-layout.ts';
import {
  type ForwardRow,
  INITIAL_STATE,
  reduce,
  type ScreenAction,
  type ScreenEffect,
} from './screen-state.ts';

/** Delay before a forward is shown as pending, ms. */
const PENDING_AFTER_MS = 100;
/** Shortest time between two paints, ms. */
const PAINT_EVERY_MS = 33;
const DEFAULT_SIZE: ScreenSize = { columns: 80, rows: 24 };

/** Opens the alternate screen, hides the cursor and clips long lines. `LEAVE` undoes all three. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/** Actions of keys beyond the screen. */
export interface ScreenActions {
  replay(forward: Forward): void;
  details(row: ForwardRow): Promise<string[]>;
  curl(row: ForwardRow): Promise<string>;
  quit(): void;
}

/**
 * Reads raw keys and writes whole screens. `screen-state.ts` decides what the screen shows, and
 * `screen-layout.ts` lays it out.
 */
export class ScreenView implements ListenView {
  readonly howToRetry = 'r sends one again, R all failed';
  readonly #actions: ScreenActions;
  #state = INITIAL_STATE;
  #paintTimer: NodeJS.Timeout | null = null;
  readonly #slowTimers = new Map<number, NodeJS.Timeout>();
  /** Lines for stderr after the end, because the screen would overwrite them earlier. */
  readonly #afterwards: string[] = [];
  #isOpen = false;

  constructor(actions: ScreenActions) {
    this.#actions = actions;
  }

  ready(info: ListenInfo): void {
    // The terminal shows these lines again after the screen closes.
    for (const line of infoLines(info)) process.stderr.write(`${line}\n`);
    this.#open();
    this.#dispatch({ type: 'ready', info });
  }

  added(forward: Forward): void {
    this.#dispatch({ type: 'added', forward });
    const { key } = forward;
    const timer = setTimeout(() => {
      this.#slowTimers.delete(key);
      this.#dispatch({ type: 'slow', key });
    }, PENDING_AFTER_MS);
    this.#slowTimers.set(key, timer);
  }

  sent({ key }: Forward, target: string): void {
    this.#dispatch({ type: 'sent', key, target });
  }

  done({ key }: Forward, outcome: ForwardOutcome): void {
    clearTimeout(this.#slowTimers.get(key));
    this.#slowTimers.delete(key);
    this.#dispatch({ type: 'done', key, outcome });
  }

  connection(item: StreamItem): void {
    const isConnected = item.kind !== 'disconnected';
    this.#dispatch({ type: 'connected', isConnected, message: connectionNote(item) });
  }

  health({ attempt, health, matters }: HealthChange): void {
    if (matters) this.note(printable(healthLine(attempt, health, stdoutSurface(''))));
  }

  note(text: string): void {
    if (this.#isOpen) this.#dispatch({ type: 'message', message: text });
    else process.stderr.write(`${text}\n`);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { stdin, stdout, stderr } = process;
    for (const timer of this.#slowTimers.values()) clearTimeout(timer);
    clearTimeout(this.#paintTimer ?? undefined);
    process.off('exit', this.#restore);
    stdout.off('resize', this.#paint);
    stdin.off('data', this.#onInput);
    this.#restore();
    stdin.pause();
    for (const text of this.#afterwards) stderr.write(`${text}\n`);
  }

  #open(): void {
    const { stdin, stdout } = process;
    this.#isOpen = true;
    stdout.write(ENTER);
    stdin.setRawMode(true);
    stdin.setEncoding('utf8');
    stdin.on('data', this.#onInput);
    stdin.resume();
    stdout.on('resize', this.#paint);
    // Restore the terminal for the shell, however the process ends.
    process.on('exit', this.#restore);
  }

  readonly #restore = (): void => {
    process.stdin.setRawMode(false);
    process.stdout.write(LEAVE);
  };

  readonly #onInput = (input: string): void => {
    for (const key of decodeKeys(input)) {
      this.#dispatch({ type: 'key', key, pageLines: pageLines(screenSize()) });
    }
  };

  #dispatch(action: ScreenAction): void {
    const { state, effects } = reduce(this.#state, action);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    if (this.#isOpen) this.#paintTimer ??= setTimeout(this.#paint, PAINT_EVERY_MS);
  }

  readonly #paint = (): void => {
    clearTimeout(this.#paintTimer ?? undefined);
    this.#paintTimer = null;
    const lines = screenLines(this.#state, screenSize(), Date.now());
    // Clear each line before writing it. After a full line, the cursor is still on its last
    // character, which clearing would then erase.
    process.stdout.write(
      HOME + lines.map((line) => CLEAR_LINE_END + line).join('\r\n') + CLEAR_BELOW,
    );
  };

  #perform(effect: ScreenEffect): void {
    switch (effect.type) {
      case 'quit':
        this.#actions.quit();
        break;
      case 'replay':
        for (const forward of effect.forwards) this.#actions.replay(forward);
        break;
      case 'details':
        this.#show(effect.row, async (row) => this.#actions.details(row), 'details');
        break;
      case 'copy':
        this.#show(effect.row, (row) => this.#copy(row), 'copied');
        break;
      case 'copy-url':
        toClipboard(effect.url);
        break;
    }
  }

  #show(row: ForwardRow, linesOf: (row: ForwardRow) => Promise<string[]>, title: string): void {
    linesOf(row).then(
      (lines) => this.#dispatch({ type: 'pane', title, lines: wrapped(lines, screenSize()) }),
      (error: Error) => this.note(printable(error.message)),
    );
  }

  async #copy(row: ForwardRow): Promise<string[]> {
    const command = await this.#actions.curl(row);
    toClipboard(command);
    if (process.stderr.isTTY) this.#afterwards.push(command);
    else process.stderr.write(`${command}\n`);
    return command.split('\n');
  }
}

/** Copies text by OSC 52. Some terminals don't permit it. */
function toClipboard(text: string): void {
  process.stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
}

function screenSize(): ScreenSize {
  const { columns, rows } = process.stdout;
  return columns > 0 && rows > 0 ? { columns, rows } : DEFAULT_SIZE;
}
