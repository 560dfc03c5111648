/** The bar below a list with the acts on its ticked rows. Only chunks of acts load it. */
import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { number } from '../words/formats';
import { Button } from './basics';
import { explained, Rest } from './problems';
import type { Selection } from './selection';
import css from './selection.module.css';

/**
 * Number of selected rows, and a way to select all that match.
 * more says whether rows of other pages match; count counts all that match, when they are to be selected.
 */
export function SelectionBar({
  ticks,
  shown,
  more,
  count,
  children,
}: {
  ticks: Selection;
  shown: number;
  more: boolean;
  count: () => Promise<number>;
  children: ReactNode;
}) {
  const [counting, setCounting] = useState(false);
  const [rest, setRest] = useState<readonly string[]>([]);
  if (ticks.size === 0) return null;
  const takeAll = () => {
    setCounting(true);
    setRest([]);
    count()
      .then(ticks.takeAll)
      .catch((error: unknown) => setRest(explained(error, []).rest))
      .finally(() => setCounting(false));
  };
  return (
    <div className={css.bar} role="toolbar" aria-label="Selection">
      <span role="status">
        {ticks.all === null ? `${number(ticks.size)} selected` : `All ${number(ticks.all)} that match`}
      </span>
      {more && ticks.size >= shown && ticks.all === null ? (
        <Button small busy={counting} onClick={takeAll}>
          All that match
        </Button>
      ) : null}
      <Rest of={rest} />
      <div className={css.acts}>{children}</div>
      <Button small kind="bare" iconOnly icon={X} aria-label="End the selection" onClick={ticks.clear} />
    </div>
  );
}
