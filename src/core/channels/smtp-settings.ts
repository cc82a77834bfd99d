export interface SmtpSettings {
  host: string;
  port: number;
  /** When TLS begins. `tls`: at once. `starttls`: before login and message. `none`: never. */
  security: 'tls' | 'starttls' | 'none';
  auth: { user: string; pass: string } | null;
  from: MailSender;
}

export interface MailSender {
  /** Empty if the sender has only an address. */
  name: string;
  address: string;
}

/** The ports of submission (RFC 6409) and of submission over TLS (RFC 8314). */
const PORTS = { 'smtp:': 587, 'smtps:': 465 };
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/;

/**
 * Reads `smtp://user:password@host:587` or `smtps://…`. Returns null for any other text. `smtp:`
 * requires STARTTLS, unless the host is loopback or the URL ends in `?tls=off`.
 */
export function readSmtpUrl(text: string): Omit<SmtpSettings, 'from'> | null {
  const url = URL.parse(text.trim());
  if (url === null || !isOneOf(url.protocol, PORTS)) return null;
  if (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '') return null;
  const isOff = url.search === '?tls=off';
  if (url.search !== '' && (!isOff || url.protocol === 'smtps:')) return null;
  if ((url.username === '') !== (url.password === '') || url.port === '0') return null;
  const auth = credentials(url);
  if (auth === 'malformed') return null;
  const isPlain = isOff || LOOPBACK.test(url.hostname);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    security: url.protocol === 'smtps:' ? 'tls' : isPlain ? 'none' : 'starttls',
    auth,
  };
}

function isOneOf<T extends object>(name: string, table: T): name is keyof T & string {
  return Object.hasOwn(table, name);
}

function credentials({ username, password }: URL): SmtpSettings['auth'] | 'malformed' {
  if (username === '') return null;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return 'malformed';
  }
}

/** The addresses of `<input type="email">`: ASCII without blanks, quotes and separators. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d]([a-z\d.-]*[a-z\d])?$/i;

/** Reads `alerts@example.com` or `Alerts <alerts@example.com>`. Returns null for any other text. */
export function readSender(text: string): MailSender | null {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim();
  if (!ADDRESS.test(address) || /\p{Cc}/u.test(name)) return null;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
