import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  STANDARD,
  timeHeaderOf,
} from '../handler-scheme.ts';
import type { HandlerPlan } from '../plan.ts';

const ENCODERS: Record<HandlerScheme['encoding'], string> = {
  hex: 'hex.EncodeToString',
  base64: 'base64.StdEncoding.EncodeToString',
  base64url: 'base64.RawURLEncoding.EncodeToString',
};

const TIMES = {
  s: 'strconv.FormatInt(at.Unix(), 10)',
  any: 'strconv.FormatInt(at.Unix(), 10)',
  ms: 'strconv.FormatInt(at.UnixMilli(), 10)',
  iso: 'at.UTC().Format(time.RFC3339)',
};

/** Returns `sign`, the function that signs in a test. It shares no code with the handler. */
export function goSign({ own }: HandlerPlan): string {
  const { header, scheme } = own ?? STANDARD;
  const { time } = scheme;
  const fields = fieldsOf(scheme);
  const timeHeader = timeHeaderOf(scheme);
  const ids = scheme.signed.flatMap((part) =>
    typeof part === 'object' && 'header' in part && part.header !== 'webhook-id'
      ? `header.Set("${part.header.toLowerCase()}", header.Get("webhook-id"))`
      : [],
  );
  const before = fields
    ? `${fields.time === null ? '' : `"${fields.time}=" + timestamp + "${fields.separator}" + `}"${fields.signature}=" + `
    : prefixOf(scheme) && `"${prefixOf(scheme)}" + `;
  const lines = [
    ...(time ? [`timestamp := ${TIMES[time.unit]}`] : []),
    ...ids,
    ...keyLines(scheme.key),
    `mac := hmac.New(${scheme.hash}.New, key)`,
    ...scheme.signed.map((part) => `mac.Write(${partExpression(part)})`),
    `signature := ${before}${ENCODERS[scheme.encoding]}(mac.Sum(nil))`,
    ...(timeHeader ? [`header.Set("${timeHeader}", timestamp)`] : []),
    `header.Set("${header}", signature)`,
  ];
  return `
// sign adds the signature of ${own?.provider ?? "hookrelay's destination (Standard Webhooks)"}.
func sign(header http.Header, secret string, body []byte${time ? ', at time.Time' : ''}) {
${lines.map((line) => `\t${line}`).join('\n')}
}
`;
}

function keyLines(key: HandlerScheme['key']): string[] {
  if (key === 'text') return ['key := []byte(secret)'];
  const decode = key === 'hex' ? 'hex.DecodeString' : 'base64.StdEncoding.DecodeString';
  const text = key === 'standard' ? 'strings.TrimPrefix(secret, "whsec_")' : 'secret';
  return [`key, err := ${decode}(${text})`, 'if err != nil {', '\tpanic(err)', '}'];
}

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return '[]byte(timestamp)';
  return 'text' in part ? `[]byte("${part.text}")` : '[]byte(header.Get("webhook-id"))';
}
