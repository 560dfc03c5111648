import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import css from './keys.module.css';
import { keys } from './shortcuts';

/** The sheet of keys. */
export default function Keys({ path, onClose }: { path: string; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={css.keys}>{keys(path).map(([key, text]) => [<dt key={key}><kbd className={kit.kbd}>{key}</kbd></dt>, <dd key={text}>{text}</dd>])}</dl>
    </Dialog>
  );
}
