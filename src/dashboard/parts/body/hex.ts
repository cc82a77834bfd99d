const BYTES_A_LINE = 16;

/** Lines in the format of `hexdump -C`: `00000010  7b 22 69 64 …  {"id…`. */
export function hexLines(bytes: Uint8Array, from: number, to: number): string {
  const lines: string[] = [];
  for (let at = from; at < Math.min(to, bytes.length); at += BYTES_A_LINE) {
    const line = bytes.subarray(at, Math.min(at + BYTES_A_LINE, bytes.length));
    const hex = [...line].map((byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const text = [...line]
      .map((byte) => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${left}  ${right}  ${text}`);
  }
  return lines.join('\n');
}
