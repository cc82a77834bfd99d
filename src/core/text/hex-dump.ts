const LINE_BYTES = 16;

/** Returns bytes as lines of `hexdump -C`: `00000010  7b 22 69 64 …  |{"id…|`. */
export function hexLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const line = [...bytes.subarray(at, at + LINE_BYTES)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const text = String.fromCharCode(...line).replace(/[^ -~]/g, '.');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${left}  ${right}  |${text}|`);
  }
  return lines;
}
