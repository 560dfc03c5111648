import { sentence, type Recorded } from './acts';

/** The sentence of an entry. */
export function Said({ entry }: { entry: Recorded }) {
  const [before, name, after] = sentence(entry);
  return (
    <>
      {before}
      {name ? (
        <strong>
          <bdi>{name}</bdi>
        </strong>
      ) : null}
      {after}
    </>
  );
}
