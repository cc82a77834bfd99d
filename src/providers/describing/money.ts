/** Currencies without decimals, and with three decimals (ISO 4217). */
const WHOLE = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/**
 * Returns `49.90 EUR` for 4990 in the currency's smallest unit. Returns null if the amount or the
 * currency is missing or invalid.
 *
 * @param own decimal digits of currencies where the provider deviates from ISO 4217
 */
export function minorAmount(
  amount: number | null,
  currency: string | null,
  own: Readonly<Record<string, number>> = {},
): string | null {
  const code = currencyCode(currency);
  if (amount === null || code === null || !Number.isSafeInteger(amount)) return null;
  const digits = own[code] ?? digitsOf(code);
  const sign = amount < 0 ? '-' : '';
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = Number(text.slice(0, text.length - digits)).toLocaleString('en-US');
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${sign}${whole}${fraction} ${code}`;
}

/** Returns `49.90 EUR` for the text `49.90`. Omits a currency that isn't three letters. */
export function decimalAmount(amount: string | null, currency: string | null): string | null {
  if (amount === null || !/^-?\d{1,15}(\.\d{1,6})?$/.test(amount)) return null;
  const [whole = '', fraction] = amount.replace('-', '').split('.');
  const sign = amount.startsWith('-') ? '-' : '';
  const text = Number(whole).toLocaleString('en-US') + (fraction ? `.${fraction}` : '');
  const code = currencyCode(currency);
  return `${sign}${text}${code ? ` ${code}` : ''}`;
}

function currencyCode(text: string | null): string | null {
  return text !== null && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : null;
}

function digitsOf(code: string): number {
  if (WHOLE.has(code)) return 0;
  return THOUSANDTHS.has(code) ? 3 : 2;
}
