import { DESTINATION_SECRET, type HandlerPlan } from './plan.ts';

/** The Go functions by which a gin handler tells a sender's request from anyone's. */
export function ginVerification({ scheme, secretVariable }: HandlerPlan): string {
  const secret = `secretIn("${secretVariable}")`;
  switch (scheme) {
    case 'standard':
      return `
// isAuthentic tells whether the request has a Standard Webhooks signature of ours,
// not older than the tolerance.
func isAuthentic(header http.Header, body []byte) bool {
\treturn isSigned(header, body, ${secret})
}
${STANDARD}${RECENT}${COMMON}`;
    case 'github':
      return `
// isAuthentic tells whether GitHub signed exactly these bytes.
func isAuthentic(header http.Header, body []byte) bool {
\texpected := "sha256=" + hex.EncodeToString(digest([]byte(${secret}), body))
\treturn isSame(header.Get("x-hub-signature-256"), expected)
}
${COMMON}`;
    case 'shopify':
      return `
// isAuthentic tells whether Shopify signed exactly these bytes.
func isAuthentic(header http.Header, body []byte) bool {
\texpected := base64.StdEncoding.EncodeToString(digest([]byte(${secret}), body))
\treturn isSame(header.Get("x-shopify-hmac-sha256"), expected)
}
${COMMON}`;
    case 'stripe':
      return `
// isAuthentic tells whether Stripe signed exactly these bytes, and the request
// isn't an old one sent again.
func isAuthentic(header http.Header, body []byte) bool {
\tvar timestamp string
\tvar signatures []string
\tfor _, part := range strings.Split(header.Get("stripe-signature"), ",") {
\t\tname, value, _ := strings.Cut(strings.TrimSpace(part), "=")
\t\tif name == "t" && timestamp == "" {
\t\t\ttimestamp = value
\t\t} else if name == "v1" {
\t\t\tsignatures = append(signatures, value)
\t\t}
\t}
\texpected := hex.EncodeToString(digest([]byte(${secret}), []byte(timestamp+"."), body))
\tisStripes := false
\tfor _, signature := range signatures {
\t\tisStripes = isSame(signature, expected) || isStripes
\t}
\treturn isStripes && (isRecent(timestamp) || isDelivery(header, body))
}
${delivery('Stripe')}`;
    case 'slack':
      return `
// isAuthentic tells whether Slack signed exactly these bytes, and the request
// isn't an old one sent again.
func isAuthentic(header http.Header, body []byte) bool {
\ttimestamp := header.Get("x-slack-request-timestamp")
\tsum := digest([]byte(${secret}), []byte("v0:"+timestamp+":"), body)
\tisSlacks := isSame(header.Get("x-slack-signature"), "v0="+hex.EncodeToString(sum))
\treturn isSlacks && (isRecent(timestamp) || isDelivery(header, body))
}
${delivery('Slack')}`;
  }
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
