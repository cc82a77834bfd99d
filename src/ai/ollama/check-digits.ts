/** Checks the digit that every payment card's number has (ISO/IEC 7812-1, annex B). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

/** Checks the two digits that every IBAN has (ISO 13616, ISO/IEC 7064). */
export function isIban(text: string): boolean {
  const compact = text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) {
      rest = (rest * 10 + Number(digit)) % 97;
    }
  }
  return rest === 1;
}
