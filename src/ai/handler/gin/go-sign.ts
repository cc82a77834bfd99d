import { STANDARD } from '../handler-scheme.ts';
import type { HandlerPlan } from '../plan.ts';

/** Returns `sign`, the function that signs in a test. It shares no code with the handler. */
export function goSign({ own }: HandlerPlan): string {
  const { header, scheme } = own ?? STANDARD;
  const { encoding, prefix, time } = scheme;
  const encode = encoding === 'hex' ? 'hex.EncodeToString' : 'base64.StdEncoding.EncodeToString';
  const signature = `${prefix && `"${prefix}" + `}${encode}(mac.Sum(nil))`;
  const mac = '\tmac := hmac.New(sha256.New, []byte(secret))\n';
  const intro = `// sign adds the signature of ${own?.provider ?? "hookrelay's destination (Standard Webhooks)"}.`;
  if (!time) {
    return `
${intro}
func sign(header http.Header, secret string, body []byte) {
${mac}\tmac.Write(body)
\theader.Set("${header}", ${compact(signature)})
}
`;
  }
  const { place, before, after } = time;
  const beforeBody = own
    ? `${before && `"${before}" + `}timestamp + "${after}"`
    : 'header.Get("webhook-id") + "." + timestamp + "."';
  const set =
    'timeField' in place
      ? `\theader.Set("${header}", "${place.timeField}="+timestamp+",${place.signatureField}="+${compact(signature)})`
      : `\theader.Set("${place.header.toLowerCase()}", timestamp)\n\theader.Set("${header}", ${compact(signature)})`;
  return `
${intro}
func sign(header http.Header, secret string, body []byte, at time.Time) {
\ttimestamp := strconv.FormatInt(at.Unix(), 10)
${mac}\tmac.Write([]byte(${beforeBody}))
\tmac.Write(body)
${set}
}
`;
}

/** Returns a sum as gofmt writes it when it stands beside other arguments. */
function compact(sum: string): string {
  return sum.replaceAll(' + ', '+');
}
