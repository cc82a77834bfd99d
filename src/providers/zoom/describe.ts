import { opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';
import { URL_VALIDATION } from './handshake.ts';

/** https://developers.zoom.us/docs/api/webhooks/ */
export const describeZoom: Describe = ({ facts, type }) => {
  if (type === null) return [];
  if (type === URL_VALIDATION) {
    return [
      'Zoom checks that this URL is yours (endpoint.url_validation).',
      'It wants its plainToken back with an HMAC of it. hookrelay answers it where the endpoint’s source is zoom and the signature fits.',
    ];
  }
  const object = facts.at('payload.object');
  return sentences(
    `Zoom reports ${type}${opt`: ${object.quote('topic')}`}${opt` (${object.text('id')})`}${opt`, participant ${object.first('participant.user_name', 'participant.email')}`}.`,
    opt`It ${object.has('end_time') ? 'ended' : 'began'} ${object.time('end_time') ?? object.time('start_time')}${opt`, and was to last ${object.counted('duration', 'minute')}`}.`,
  );
};
