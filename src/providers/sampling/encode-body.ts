import type { BodyFormat, Json } from './sample.ts';

export function encodeBody(format: BodyFormat, payload: Json): Buffer {
  return Buffer.from(textOf(format, payload), 'utf8');
}

function textOf(format: BodyFormat, payload: Json): string {
  switch (format) {
    case 'json':
      return JSON.stringify(payload);
    case 'json-indented':
      return JSON.stringify(payload, null, 2);
    case 'json-lines':
      return `[${(payload as Json[]).map((event) => JSON.stringify(event)).join(',\r\n')}]\r\n`;
    case 'form':
      return new URLSearchParams(payload as Record<string, string>).toString();
  }
}
