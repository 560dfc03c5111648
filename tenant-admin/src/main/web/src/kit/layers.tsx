/** Dialogs, sheets and menus, which load with their first use or when the browser is idle. */
import type { LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Right } from '../gen/graphql';
import { Button, CopyButton, Note } from './basics';
import { explained } from './problems';
import css from './kit.module.css';
import { useRights } from './rights';

const layers = () => import('./overlays');
const DialogLayer = lazy(() => layers().then((module) => ({ default: module.DialogLayer })));
const SheetLayer = lazy(() => layers().then((module) => ({ default: module.SheetLayer })));
const MenuLayer = lazy(() => layers().then((module) => ({ default: module.MenuLayer })));

/** Fetches the chunk of the layers when the browser is idle. */
export function preloadLayers(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work, 1500));
  idle(() => void layers());
}

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False if only its buttons close it. */
  readonly closable?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  return (
    <Suspense fallback={null}>
      <DialogLayer {...props} />
    </Suspense>
  );
}

export interface SheetProps {
  readonly title: string;
  readonly side: 'left' | 'right';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Sheet(props: SheetProps) {
  return (
    <Suspense fallback={null}>
      <SheetLayer {...props} />
    </Suspense>
  );
}

export type MenuEntry =
  | { readonly kind: 'line'; readonly key: string }
  | { readonly kind: 'label'; readonly text: string }
  | {
      readonly kind: 'item';
      readonly text: string;
      readonly icon?: LucideIcon;
      readonly right?: ReactNode;
      readonly tone?: 'bad';
      readonly href?: string;
      readonly needs?: Right;
      readonly act?: () => void;
    };

export interface MenuProps {
  readonly label: string;
  readonly trigger: {
    readonly icon?: LucideIcon;
    readonly text?: string;
    readonly iconOnly?: boolean;
    readonly kind?: 'bare';
    readonly custom?: ReactNode;
    readonly className?: string;
  };
  readonly entries: readonly MenuEntry[];
}

/** A button with a menu of the entries that the reader may use. A click before the menu is loaded opens it once it is. */
export function MenuButton({ entries: all, ...rest }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const { may } = useRights();
  const { trigger, label } = rest;
  const entries = all.filter((entry) => entry.kind !== 'item' || may(entry.needs));
  if (!entries.some((entry) => entry.kind === 'item')) return null;
  const props = { ...rest, entries };
  const open = () => {
    setWanted(true);
    void layers().then(() => setLoaded(true));
  };
  if (wanted && loaded)
    return (
      <Suspense fallback={null}>
        <MenuLayer {...props} opened />
      </Suspense>
    );
  return trigger.custom ? (
    <button
      type="button"
      className={trigger.className}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={open}
    >
      {trigger.custom}
    </button>
  ) : (
    <Button
      iconOnly={trigger.iconOnly ?? false}
      kind={trigger.kind}
      icon={trigger.icon}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={open}
    >
      {trigger.text}
    </Button>
  );
}

/** A dialog that names the consequence of an act before it is done. With a name, the reader has to type it. */
export function Confirm({
  title,
  verb,
  keep = 'Keep it',
  mild = false,
  name,
  onClose,
  act,
  children,
}: {
  title: string;
  verb: string;
  keep?: string;
  name?: string;
  onClose: () => void;
  act: () => Promise<unknown>;
  children: ReactNode;
  /** Whether the act destroys nothing: its button is not red. */
  mild?: boolean;
}) {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const done = async () => {
    if (name !== undefined && typed.trim() !== name) {
      setAsked(true);
      return;
    }
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      setRest(explained(error, []).rest);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={css.dialogText}>{children}</div>
      {name === undefined ? null : (
        <label className={css.field}>
          <span className={css.label}>Type {name} to confirm</span>
          <input
            className={css.input}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={asked && typed.trim() !== name ? true : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          {asked && typed.trim() !== name ? <span className={css.wrong}>The name differs.</span> : null}
        </label>
      )}
      {rest.length > 0 ? (
        <Note tone="bad" alert>
          {rest.join(' ')}
        </Note>
      ) : null}
      <div className={css.dialogActs}>
        <Button onClick={onClose}>{keep}</Button>
        <Button kind={mild ? 'main' : 'badMain'} busy={busy} onClick={() => void done()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}

/** A secret that is shown once, with the line for a .env file. */
export function Secret({
  title,
  text,
  variable,
  onStored,
  children,
}: {
  title: string;
  text: string;
  variable: string;
  onStored: () => void;
  children: ReactNode;
}) {
  const line = `${variable}=${text}`;
  return (
    <Dialog title={title} onClose={() => undefined} closable={false} wide>
      <div className={css.dialogText}>{children}</div>
      <div className={`${css.code} ${css.fold}`}>
        <pre tabIndex={0} role="region" aria-label="The secret" data-secret>
          {text}
        </pre>
        <CopyButton text={text} label="Copy the secret" />
      </div>
      <div className={css.dialogActs}>
        <CopyButton text={line} label="Copy as a line for .env" small={false}>
          Copy for .env
        </CopyButton>
        <Button kind="main" onClick={onStored}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
