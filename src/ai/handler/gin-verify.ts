import { DESTINATION_SECRET, type HandlerPlan } from './plan.ts';

/** The Go functions by which a gin handler tells a sender's request from anyone's. */
export function ginVerification({ own, secretVariable }: HandlerPlan): string {
  const secret = `secretIn("${secretVariable}")`;
  if (!own) {
    return `
// isAuthentic tells whether the request has a Standard Webhooks signature of ours,
// not older than the tolerance.
func isAuthentic(header http.Header, body []byte) bool {
\treturn isSigned(header, body, ${secret})
}
${STANDARD}${RECENT}${COMMON}`;
  }
  const { encoding, prefix, time } = own.scheme;
  const encode = encoding === 'hex' ? 'hex.EncodeToString' : 'base64.StdEncoding.EncodeToString';
  if (!time) {
    return `
// isAuthentic tells whether ${own.provider} signed exactly these bytes.
func isAuthentic(header http.Header, body []byte) bool {
\texpected := ${prefix && `"${prefix}" + `}${encode}(digest([]byte(${secret}), body))
\treturn isSame(header.Get("${own.header}"), expected)
}
${COMMON}`;
  }
  const isTheirs = `is${own.word}s`;
  const before = time.before && `"${time.before}"+`;
  const sum = `digest([]byte(${secret}), []byte(${before}timestamp+"${time.after}"), body)`;
  const { place } = time;
  const check =
    'timeField' in place
      ? `\tvar timestamp string
\tvar signatures []string
\tfor _, part := range strings.Split(header.Get("${own.header}"), ",") {
\t\tname, value, _ := strings.Cut(strings.TrimSpace(part), "=")
\t\tif name == "${place.timeField}" && timestamp == "" {
\t\t\ttimestamp = value
\t\t} else if name == "${place.signatureField}" {
\t\t\tsignatures = append(signatures, value)
\t\t}
\t}
\texpected := ${prefix && `"${prefix}" + `}${encode}(${sum})
\t${isTheirs} := false
\tfor _, signature := range signatures {
\t\t${isTheirs} = isSame(signature, expected) || ${isTheirs}
\t}`
      : `\ttimestamp := header.Get("${place.header.toLowerCase()}")
\tsum := ${sum}
\t${isTheirs} := isSame(header.Get("${own.header}"), ${prefix && `"${prefix}"+`}${encode}(sum))`;
  return `
// isAuthentic tells whether ${own.provider} signed exactly these bytes, and the request
// isn't an old one sent again.
func isAuthentic(header http.Header, body []byte) bool {
${check}
\treturn ${isTheirs} && (isRecent(timestamp) || isDelivery(header, body))
}
${delivery(own.provider)}`;
}

function delivery(sender: string): string {
  return `
// isDelivery tells whether hookrelay signed this attempt. ${sender}'s signature is as
// old as the event: a retry or a replay by hookrelay comes later than the tolerance
// allows. hookrelay's own signature is made for each attempt: give the destination
// a secret, and put it into ${DESTINATION_SECRET} too.
func isDelivery(header http.Header, body []byte) bool {
\tsecret := os.Getenv("${DESTINATION_SECRET}")
\treturn secret != "" && isSigned(header, body, secret)
}
${STANDARD}${RECENT}${COMMON}`;
}

const STANDARD = `
// isSigned checks a Standard Webhooks signature: the HMAC of id, timestamp and body.
func isSigned(header http.Header, body []byte, secret string) bool {
\tid, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
\tif id == "" || !isRecent(timestamp) {
\t\treturn false
\t}
\tkey := []byte(secret)
\tif encoded, found := strings.CutPrefix(secret, "whsec_"); found {
\t\tdecoded, err := base64.StdEncoding.DecodeString(encoded)
\t\tif err != nil || len(decoded) == 0 {
\t\t\tpanic("the webhook secret is no base64")
\t\t}
\t\tkey = decoded
\t}
\tsum := digest(key, []byte(id+"."+timestamp+"."), body)
\texpected := "v1," + base64.StdEncoding.EncodeToString(sum)
\tfor _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
\t\tif isSame(signature, expected) {
\t\t\treturn true
\t\t}
\t}
\treturn false
}
`;

const RECENT = `
func isRecent(timestamp string) bool {
\tseconds, err := strconv.ParseUint(timestamp, 10, 40)
\treturn err == nil && time.Since(time.Unix(int64(seconds), 0)).Abs() <= tolerance
}
`;

const COMMON = `
func digest(key []byte, parts ...[]byte) []byte {
\tmac := hmac.New(sha256.New, key)
\tfor _, part := range parts {
\t\tmac.Write(part)
\t}
\treturn mac.Sum(nil)
}

// isSame compares in constant time: how long it takes tells nothing of the right
// signature.
func isSame(given, expected string) bool {
\treturn hmac.Equal([]byte(given), []byte(expected))
}

// secretIn panics without the secret, which gin answers with 500: no request can be
// verified, and an empty key would be anyone's.
func secretIn(variable string) string {
\tsecret := os.Getenv(variable)
\tif secret == "" {
\t\tpanic(variable + " is not set")
\t}
\treturn secret
}
`;
