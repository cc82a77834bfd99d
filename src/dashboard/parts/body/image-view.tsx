import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../../core/text/words.ts';
import { type ImageInfo, MOST_PIXELS } from './image.ts';

interface ImageViewProps {
  bytes: Uint8Array<ArrayBuffer>;
  image: ImageInfo;
}

/** Shows a picture from the body's own bytes. The browser makes no request for it. */
export function ImageView({ bytes, image }: ImageViewProps) {
  const { type, size } = image;
  const [url, setUrl] = useState<string | null>(null);
  const [shown, setShown] = useState<ImageInfo['size'] | 'broken'>(null);
  const isHuge = size !== null && size.width * size.height > MOST_PIXELS;
  useEffect(() => {
    if (isHuge) return;
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type, isHuge]);
  const words = type.slice('image/'.length).toUpperCase();
  const known = shown === 'broken' ? size : (shown ?? size);
  return (
    <figure class="picture">
      {url !== null && shown !== 'broken' && (
        <img
          src={url}
          alt={`The body as a picture, ${words}`}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setShown({ width: naturalWidth, height: naturalHeight })
          }
          onError={() => setShown('broken')}
        />
      )}
      <figcaption class="muted">
        {words}
        {known && `, ${formatCount(known.width)} × ${formatCount(known.height)} px`}
        {isHuge && ': too large to show. The download has it.'}
        {shown === 'broken' && ': the file is damaged, or this browser can’t show it.'}
      </figcaption>
    </figure>
  );
}
