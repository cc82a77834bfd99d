import { Foreign } from '../../parts/foreign.tsx';
import { readable } from '../../parts/readable.ts';
import type { AnswerForm } from './answer-form.ts';
import { answerPreview } from './answer-lines.ts';

/** Shows the answer that a sender gets, while the user edits the answer. */
export function AnswerPreviewBox({ form }: { form: AnswerForm }) {
  const { own, fixed, body } = answerPreview(form);
  return (
    <figure class="answer-preview">
      <figcaption>Preview of the answer</figcaption>
      <pre class="plain" {...readable('Preview of the answer')}>
        {own.map((line, i) => (
          <Line key={`own ${i}`} text={line} />
        ))}
        <span class="muted">
          {fixed.map((line) => (
            <Line key={line} text={line} />
          ))}
        </span>
        {body === null ? null : (
          <>
            {'\n'}
            <Foreign text={body} kept={'\n\t'} />
          </>
        )}
      </pre>
      <p class="muted">
        {body === null && 'There is no body. '}The date and the connection’s own headers come with
        it.
      </p>
    </figure>
  );
}

function Line({ text }: { text: string }) {
  return (
    <>
      <Foreign text={text} />
      {'\n'}
    </>
  );
}
