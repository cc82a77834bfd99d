import { useEffect, useState } from 'preact/hooks';
import { type Decoded, decompress, encodingsOf } from '../../text/decompress.ts';

interface Encoded {
  bytes: Uint8Array<ArrayBuffer>;
  raw_headers: readonly (readonly [string, string])[];
}

/**
 * Returns the decompressed body. Returns null if the body isn't compressed, and undefined while
 * that is unknown.
 */
export function useDecoded({ bytes, raw_headers }: Encoded): Decoded | null | undefined {
  const [known, setKnown] = useState<{ bytes: Uint8Array; decoded: Decoded | null } | null>(null);
  const encodings = encodingsOf(raw_headers, bytes);
  const isEncoded = encodings.length > 0;
  useEffect(() => {
    if (!isEncoded) return;
    let isLeft = false;
    void decompress(bytes, encodings).then((decoded) => !isLeft && setKnown({ bytes, decoded }));
    return () => {
      isLeft = true;
    };
  }, [bytes, isEncoded]);
  if (!isEncoded) return null;
  return known?.bytes === bytes ? known.decoded : undefined;
}
