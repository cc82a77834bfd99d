import type { SystemCheck } from '../../../api/system/system-answer.ts';
import { Badge } from '../../parts/badge.tsx';
import { Code } from '../../parts/code/code.tsx';
import { Foreign } from '../../parts/foreign.tsx';

/** Signs that differ in shape, for people who can't tell the colours apart. */
const STATES: Record<SystemCheck['state'], [mark: string, word: string, look: string]> = {
  ok: ['●', 'fine', 'is-delivered'],
  warn: ['▲', 'warning', 'is-failed'],
  fail: ['✕', 'failed', 'is-dead'],
};

/** Shows the result of a check, and what to do. */
export function CheckRow({ check: { name, state, text, hint } }: { check: SystemCheck }) {
  const [mark, word, look] = STATES[state];
  return (
    <li>
      <div class="row-main">
        <p class="row-name">{name}</p>
        <p class="muted wrap">
          <Foreign text={text} />
        </p>
        {hint !== null &&
          (/^hookrelay [a-z]/.test(hint) ? (
            <Code text={hint} label={`Command: ${hint}`} />
          ) : (
            <p class="wrap">
              <Foreign text={hint} />
            </p>
          ))}
      </div>
      <Badge mark={mark} look={look}>
        {word}
      </Badge>
    </li>
  );
}
