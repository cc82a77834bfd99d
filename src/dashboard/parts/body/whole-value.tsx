import { kindOf, writtenOf } from '../../../core/text/json-index.ts';
import { stringValue } from '../../../core/text/lossless-json.ts';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import type { LineOf } from './line-of.ts';
import { PlainText } from './plain-text.tsx';
import { pathOfLine } from './rule-path.ts';

interface WholeValueProps extends LineOf {
  onClose(): void;
}

/** Shows a value with all its characters. A string appears without quotes and escapes. */
export function WholeValue({ onClose, ...line }: WholeValueProps) {
  const { text, index, node } = line;
  const written = writtenOf(text, index, node);
  const value = kindOf(text, index, node) === 'string' ? stringValue(written) : written;
  return (
    <Dialog title={pathOfLine(line) ?? 'Value'} class="whole-value" onClose={onClose}>
      <PlainText text={value} label="Value" />
      <div class="actions">
        <CopyButton text={value} label="Copy the text" />
        <CopyButton text={written} label="Copy as JSON" />
      </div>
    </Dialog>
  );
}
