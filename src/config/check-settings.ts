import { HookrelayError } from '../core/errors.ts';

const MIN_SECRET_KEY_BYTES = 32;

/* Checks of settings that may be secret, or that need each other. They throw `config_invalid`. */

export function checkDatabase(url: string | null): string | null {
  // Checks only the scheme, because some forms that libpq takes aren't valid URLs (several hosts,
  // sockets).
  if (url === null || /^postgres(ql)?:\/\/./.test(url)) return url;
  throw new HookrelayError(
    'config_invalid',
    '--database (HOOKRELAY_DATABASE) is not a postgres:// URL',
    {
      hint: 'write postgres://user:password@host/name, or omit it to use SQLite',
    },
  );
}

export function checkTls(
  certFile: string | null,
  keyFile: string | null,
): { certFile: string; keyFile: string } | null {
  if (certFile !== null && keyFile !== null) return { certFile, keyFile };
  if (certFile === null && keyFile === null) return null;
  const [given, missing] =
    certFile === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw new HookrelayError('config_invalid', `${given} is given without ${missing}`, {
    hint: 'TLS needs both (or HOOKRELAY_TLS_CERT and HOOKRELAY_TLS_KEY)',
  });
}

export function checkMetricsToken(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new HookrelayError(
    'config_invalid',
    '--metrics-token (HOOKRELAY_METRICS_TOKEN) has a character that no HTTP header can carry',
    { hint: 'use printable ASCII without blanks: openssl rand -hex 32' },
  );
}

/**
 * Returns the key, or null if none is set. Throws `config_invalid` for a short key. A hex digit
 * counts as 4 bits. But the key is never decoded: HKDF takes any bytes, and a wrong guess at the
 * encoding would change the key.
 */
export function checkSecretKey(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  const key = value.trim();
  const bytes = /^[0-9a-f]*$/i.test(key) ? key.length / 2 : Buffer.byteLength(key);
  if (bytes >= MIN_SECRET_KEY_BYTES) return key;
  throw new HookrelayError(
    'config_invalid',
    `HOOKRELAY_SECRET_KEY holds ${Math.floor(bytes)} bytes: at least ${MIN_SECRET_KEY_BYTES} are needed ` +
      '(64 hex digits, base64, or text of 32 bytes)',
    { hint: 'make one: openssl rand -base64 32' },
  );
}
