import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://www.typeform.com/developers/webhooks/example-payload/ */
export const describeTypeform: Describe = ({ facts }) => {
  const response = facts.at('form_response');
  if (!response.has('form_id')) return [];
  const answers = response.items('answers', 4).map((answer, index) => {
    const title = response.quote(`definition.fields.${index}.title`, 60);
    const kind = answer.text('type') ?? '';
    const { value } = answer.at(kind);
    const text =
      typeof value === 'object' ? answer.text(`${kind}.label`, 60) : answer.text(kind, 60);
    return opt`${title}: ${text}`;
  });
  return sentences(
    `Somebody filled in the form${opt` ${response.quote('definition.title')}`} (${response.text('form_id')}) with ${counted(response.count('answers'), 'answer')}${opt` at ${response.time('submitted_at')}`}.`,
    answers.some((text) => text !== '') &&
      `They say ${listed(answers.filter((text) => text !== ''))}.`,
    opt`It is response ${response.text('token')}.`,
  );
};
