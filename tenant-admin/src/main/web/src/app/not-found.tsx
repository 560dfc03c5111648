/** The page for a path that does not exist. */
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../kit/basics';
import css from '../kit/kit.module.css';
import { useTitle } from '../kit/page';

export function NotFound() {
  useTitle('No such page');
  return (
    <main className={css.wrap}>
      <div className={css.blank}>
        <h1 className={css.say}>Page not found.</h1>
        <p>The link may be old or mistyped.</p>
        <Link to="/" className={buttonClass({})}>
          Go to overview
        </Link>
      </div>
    </main>
  );
}
