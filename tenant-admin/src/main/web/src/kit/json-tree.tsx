/** JSON as a tree that folds, or as text. The name of a value copies its path. */
import { useClipboard } from '@mantine/hooks';
import { Check, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Code, CopyButton, ICON, Segments } from './basics';
import css from './json-tree.module.css';
import kit from './kit.module.css';
import { entriesOf, pathOf } from './json';

/** Depth up to which values are unfolded at first, and the most entries of one that is. */
const OPEN_DEPTH = 2;
const MAX_OPEN = 12;

export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const [view, setView] = useState<'tree' | 'raw'>('tree');
  const text = JSON.stringify(value, null, 2);
  return (
    <div className={kit.grid}>
      <div className={kit.acts}>
        <Segments
          label="View"
          value={view}
          options={[
            { value: 'tree', text: 'Tree' },
            { value: 'raw', text: 'Raw' },
          ]}
          onChange={setView}
        />
        {view === 'tree' ? (
          <>
            <span className={kit.quiet}>Click a key to copy its path.</span>
            <CopyButton text={text} label={`Copy ${label}`} />
          </>
        ) : null}
      </div>
      {view === 'raw' ? (
        <Code label={label} text={text} wrap />
      ) : (
        <ul className={css.tree} aria-label={label}>
          {entriesOf(value)?.map(([name, part]) => (
            <Node
              key={name}
              name={name}
              value={part}
              path={pathOf('', name, Array.isArray(value))}
              depth={1}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Node({ name, value, path, depth }: { name: string; value: unknown; path: string; depth: number }) {
  const entries = entriesOf(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (entries?.length ?? 0) <= MAX_OPEN);
  if (!entries || entries.length === 0)
    return (
      <li className={css.leaf}>
        <Name name={name} path={path} />: <Leaf value={value} />
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={css.fold}
        aria-expanded={open}
        aria-label={`${open ? 'Fold' : 'Unfold'} ${path}`}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight {...ICON} size={13} />
      </button>
      <Name name={name} path={path} />{' '}
      <span className={css.count}>
        {Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}
      </span>
      {open ? (
        <ul>
          {entries.map(([key, part]) => (
            <Node
              key={key}
              name={key}
              value={part}
              path={pathOf(path, key, Array.isArray(value))}
              depth={depth + 1}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function Name({ name, path }: { name: string; path: string }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <button type="button" className={css.name} title={`Copy ${path}`} onClick={() => clipboard.copy(path)}>
      {name}
      {clipboard.copied ? <Check {...ICON} size={12} aria-label="copied" aria-hidden={false} /> : null}
    </button>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className={css.text}>{value === '' ? '""' : value}</span>;
  if (value !== null && typeof value === 'object')
    return <span className={css.count}>{Array.isArray(value) ? 'none' : '{}'}</span>;
  return <span className={css.value}>{String(value)}</span>;
}
