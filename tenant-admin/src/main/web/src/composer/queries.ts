import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  BrandStyleDocument,
  DeleteImageDocument,
  ImagesDocument,
  UploadImageDocument,
  type ImagesQuery,
} from '../gen/graphql';

export type StoredImage = NonNullable<ImagesQuery['viewer']>['images']['nodes'][number];

/** Images of the account, newest first. */
export const imagesQuery = infiniteQueryOptions({
  queryKey: ['image', 'list'],
  queryFn: async ({ pageParam }) => (await request(ImagesDocument, { after: pageParam })).viewer!.images,
  initialPageParam: null as string | null,
  getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
});

/** The parts of the brand that new emails have. */
export const brandStyleQuery = queryOptions({
  queryKey: ['brand', 'one', 'style'],
  queryFn: async () => (await request(BrandStyleDocument)).viewer!.brand,
});

export const MAX_IMAGE = 2 * 1024 * 1024;

/** The bytes of a file in Base64. */
export function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}

/** Stores an image; the result has its address. */
export async function uploadImage(client: QueryClient, name: string, content: string): Promise<StoredImage> {
  const { image } = accepted((await request(UploadImageDocument, { input: { name, content } })).uploadImage);
  await client.invalidateQueries({ queryKey: imagesQuery.queryKey });
  return image!;
}

export async function deleteImage(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteImageDocument, { id })).deleteImage);
  await client.invalidateQueries({ queryKey: imagesQuery.queryKey });
}
