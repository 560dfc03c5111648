import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { useRights, type Rights } from '../kit/rights';
import css from './keys.module.css';
import { isConsole, pagesAt } from './pages';

/** The sheet of keys. */
export default function Keys({ path, onClose }: { path: string; onClose: () => void }) {
  const { may } = useRights();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={css.keys}>
        {keys(path, may).map(([key, text]) => [
          <dt key={key}>
            <kbd className={kit.kbd}>{key}</kbd>
          </dt>,
          <dd key={text}>{text}</dd>,
        ])}
      </dl>
    </Dialog>
  );
}

/** The sheet of keys of the part of the app that a path belongs to, without those of acts that the reader may not do. */
const keys = (path: string, may: Rights['may']): readonly (readonly [string, string])[] => [
  ['Ctrl K', 'Search or go to…'],
  ['/', 'Filter the list'],
  ['?', 'Show this sheet'],
  ...pagesAt(path)
    .filter((page) => page.key)
    .map((page) => [`g ${page.key}`, page.text] as const),
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ...(isConsole(path) || !may('CONTACTS') ? [] : [['x', 'Select the row'] as const]),
  ['Esc', 'Close the drawer or the dialog'],
  ...(isConsole(path) || !may('DOMAINS') ? [] : [['r', 'Check the records of the open domain'] as const]),
  ...(isConsole(path) || !may('CAMPAIGNS') ? [] : [['p', 'Pause or resume the open campaign'] as const]),
];
