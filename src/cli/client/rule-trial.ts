import type { CallBody } from '../../api/client/typed-call.ts';
import type { RuleTrialAnswer } from '../../api/rules/rule-answer.ts';
import type { ApiClient } from './api-client.ts';

/** Also returns the text of the answer, for `--json`. */
export async function tryRule(
  client: ApiClient,
  endpointId: string,
  body: CallBody<'POST /api/endpoints/{id}/rules/try'>,
): Promise<{ trial: RuleTrialAnswer; text: string }> {
  const params = { id: endpointId };
  const text = await client.call('POST /api/endpoints/{id}/rules/try', {
    params,
    body,
    as: 'text',
  });
  return { trial: JSON.parse(text) as RuleTrialAnswer, text };
}
