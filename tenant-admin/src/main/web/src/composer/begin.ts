import type { QueryClient } from '@tanstack/react-query';
import { emptyLetter, type Letter } from './letter';
import { brandStyleQuery } from './queries';
import { written, type Written } from './render';

/** An empty email with the brand of the account, for a template. */
export async function begin(client: QueryClient): Promise<Written & { readonly letter: Letter }> {
  const letter = emptyLetter(await client.ensureQueryData(brandStyleQuery), false);
  return { letter, ...written(letter) };
}
