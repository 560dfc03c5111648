import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { size } from '../words/formats';
import css from './composer.module.css';
import {
  base64,
  brandStyleQuery,
  deleteImage,
  imagesQuery,
  MAX_IMAGE,
  uploadImage,
  type StoredImage,
} from './queries';

export const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The library of images, in which one is chosen or uploaded. */
export function ImagePicker({
  onPick,
  onClose,
}: {
  onPick: (image: { url: string; alt?: string }) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const images = useInfiniteQuery(imagesQuery);
  const brand = useQuery(brandStyleQuery).data;
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<readonly string[]>([]);
  const [deleting, setDeleting] = useState<StoredImage>();
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setRest([]);
    try {
      await work();
    } catch (error) {
      const { fields, rest: others } = explained(error, []);
      setRest([...Object.values(fields), ...others]);
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_IMAGE) setRest(['At most 2 MB.']);
    else
      void act(async () => {
        onPick({ url: (await uploadImage(client, file.name, await base64(file))).url });
      });
  };
  const logo = brand?.logo;
  const shown = images.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  return (
    <Dialog title="Images" wide onClose={onClose}>
      <div className={kit.acts}>
        <input
          ref={input}
          type="file"
          hidden
          accept={TYPES.join(',')}
          aria-label="Image"
          onChange={(event) => {
            upload(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button
          kind="main"
          icon={Upload}
          needs="TEMPLATES"
          busy={busy}
          onClick={() => input.current?.click()}
        >
          Upload image
        </Button>
        {logo ? (
          <Button
            needs="TEMPLATES"
            busy={busy}
            onClick={() =>
              void act(async () => {
                const { url } = await uploadImage(client, 'logo', logo.replace(/^.*,/, ''));
                onPick({ url, alt: brand.name });
              })
            }
          >
            Use the logo
          </Button>
        ) : null}
        <span className={kit.quiet}>
          PNG, JPEG, GIF or WebP, at most 2 MB. Anyone with its address can see it.
        </span>
      </div>
      <Rest of={rest} />
      {images.data ? (
        shown.length === 0 ? (
          <p className={kit.quiet}>No images yet.</p>
        ) : (
          <ul className={css.images} aria-label="Uploaded images">
            {shown.map((image) => (
              <li key={image.id}>
                <button
                  type="button"
                  onClick={() => onPick({ url: image.url })}
                  title={`Insert ${image.name}`}
                >
                  <img src={image.url} alt="" loading="lazy" />
                  <span>{image.name}</span>
                </button>
                <span className={kit.quiet}>{size(image.size)}</span>
                <Button
                  small
                  kind="bare"
                  iconOnly
                  icon={Trash2}
                  needs="TEMPLATES"
                  aria-label={`Delete ${image.name}`}
                  onClick={() => setDeleting(image)}
                />
              </li>
            ))}
          </ul>
        )
      ) : images.error ? (
        <Failed error={images.error} retry={() => void images.refetch()} />
      ) : (
        <Loading lines={3} />
      )}
      {images.hasNextPage ? (
        <Button busy={images.isFetchingNextPage} onClick={() => void images.fetchNextPage()}>
          Older images
        </Button>
      ) : null}
      {deleting ? (
        <div className={kit.dialogText} role="alert">
          <p>
            <strong>Delete {deleting.name}?</strong> Emails that show it lose it, also those already sent.
          </p>
          <div className={kit.dialogActs}>
            <Button onClick={() => setDeleting(undefined)}>Keep it</Button>
            <Button
              kind="badMain"
              busy={busy}
              onClick={() =>
                void act(async () => {
                  await deleteImage(client, deleting.id);
                  setDeleting(undefined);
                })
              }
            >
              Delete
            </Button>
          </div>
        </div>
      ) : null}
    </Dialog>
  );
}
