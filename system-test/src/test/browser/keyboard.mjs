// Every page is walked through with Tab, and looked at with 200 and 400 % zoom: node keyboard.mjs
// ADMIN is the port of a running Mailroom with the demo account, OPERATOR and PASSWORD its operator's credentials, DEMO
// the password of the demo account, PICTURES a directory.
import { readFileSync } from 'node:fs';
import { journey } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const tenant = 'demo@quillmoor.example';

/** The width of a window of 1440 px at 200 %, and of one of 1280 px at 400 % (WCAG 1.4.10). */
const ZOOMS = [
  { width: 720, height: 450 },
  { width: 320, height: 256 },
];

/** The paths of the pages in the rails, as the app has them. */
function paths() {
  const source = readFileSync(
    new URL('../../../../tenant-admin/src/main/web/src/app/pages.ts', import.meta.url),
    'utf8',
  );
  return [...source.matchAll(/\{ to: '([^']+)'/g)].map((match) => match[1]);
}

/** Buttons that open a dialog, by page. */
const DIALOGS = {
  '/emails': ['Send test email'],
  '/contacts': ['New book'],
  '/contacts/:book': ['Add contact'],
  '/suppressions': ['Add'],
  '/domains': ['Add domain'],
  '/domains/:domain': ['Rotate', 'Delete'],
  '/api-keys': ['Create key'],
  '/webhooks': ['Add endpoint'],
  '/settings/team': ['Invite'],
  '/campaigns/:campaign': ['Send test email'],
  '/templates/:template': ['Send test'],
  '/operator/plans': ['New plan'],
  '/operator/destinations': ['Hold a destination'],
  '/operator/queue': ['Pause all sending'],
  '/operator/accounts/:account': ['Suspend', 'Set limits', 'Add note', 'Watch'],
};

/** Lists whose rows open a drawer, with the list that has them. */
const DRAWERS = ['/emails', '/inbound', '/contacts/:book', '/webhooks/:webhook'];

/** Runs in the page: finds the controls and records the movements of the focus. */
function install() {
  const SELECTOR = 'a[href], button, input, select, textarea, iframe, [tabindex], [contenteditable=true]';
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false })
    && element.getClientRects().length > 0;
  const named = (element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
  const controls = (root) =>
    [...root.querySelectorAll(SELECTOR)].filter(
      (element) => element.tabIndex >= 0 && !element.disabled && visible(element),
    );
  const fetched = window.fetch;
  let pending = 0;
  window.fetch = (...request) => {
    pending++;
    return fetched(...request).finally(() => {
      pending--;
    });
  };
  const seen = new Set();
  const faults = new Set();
  let present = new Set();
  /** Whether the element with the focus has a visible marker. */
  const marked = (element) => {
    // The marker of an editor is that of its frame.
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at === element || (at.matches(':focus-within') && at.className.includes('editor'))) {
        if (
          (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
          || (style.boxShadow !== 'none' && at !== element)
        )
          return true;
      }
    }
    return false;
  };
  /** Whether something else lies over the middle of all parts of the element. */
  const covered = (element) => {
    const rects = [...element.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    return (
      rects.length > 0
      && rects.every((rect) => {
        const x = Math.min(Math.max(rect.left + rect.width / 2, 0), innerWidth - 1);
        const y = Math.min(Math.max(rect.top + rect.height / 2, 0), innerHeight - 1);
        const top = document.elementFromPoint(x, y);
        return (
          top !== null
          && !element.contains(top)
          && !top.contains(element)
          && !top.closest('label')?.contains(element)
        );
      })
    );
  };
  document.addEventListener('focusin', ({ target }) => {
    seen.add(target);
    if (target === document.body || target.id === 'main') return;
    if (target.tagName !== 'IFRAME' && !marked(target))
      faults.add(`${named(target)} does not show the focus`);
    if (covered(target)) faults.add(`${named(target)} is covered when it has the focus`);
  });
  window.keyboard = {
    /** Begins a walk at the beginning of an element; the result is the number of its controls. */
    begin(selector) {
      seen.clear();
      faults.clear();
      const root = document.querySelector(selector);
      const fixed = root.hasAttribute('tabindex');
      if (!fixed) root.tabIndex = -1;
      root.focus({ preventScroll: true });
      if (!fixed) root.removeAttribute('tabindex');
      present = new Set(controls(root));
      return present.size;
    },
    /** The faults of the walk, with the controls that the focus did not reach; without those that a live page has added meanwhile. */
    end(selector) {
      const root = document.querySelector(selector);
      // A focus inside of a frame causes no event in this document.
      const missed = controls(root).filter(
        (element) =>
          present.has(element) && !seen.has(element) && element.tagName !== 'IFRAME' && !within(element),
      );
      return [...faults, ...missed.map((element) => `${named(element)} is not reached`)];
    },
    /** Ends when nothing is loading and nothing has changed for a moment; soon after a second, because some pages are live. */
    quiet: () =>
      new Promise((resolve) => {
        const finish = () => {
          clearTimeout(pause);
          if (pending > 0) {
            pause = setTimeout(finish, 50);
            return;
          }
          observer.disconnect();
          clearTimeout(end);
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
        };
        let pause = setTimeout(finish, 150);
        const end = setTimeout(finish, 1000);
        const observer = new MutationObserver(() => {
          clearTimeout(pause);
          pause = setTimeout(finish, 150);
        });
        observer.observe(document.getElementById('main'), {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
      }),
    inside: (selector) => document.querySelector(selector)?.contains(document.activeElement) ?? false,
    /** Controls and texts that are cut off, and parts of the page that are too wide. */
    clipped() {
      const wrong = [];
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth > width)
        wrong.push(`the page is ${document.documentElement.scrollWidth - width} px wider than the window`);
      const main = document.getElementById('main');
      if (main.scrollWidth > main.clientWidth + 1)
        wrong.push(`the content is ${main.scrollWidth - main.clientWidth} px wider than its area`);
      for (const element of controls(document.body)) {
        if (element.closest('[data-skip]') || hidden(element)) continue;
        const rect = shown(element);
        const scroller = scrolls(element);
        if (!scroller && (rect.right > width + 1 || rect.left < -1))
          wrong.push(`${named(element)} reaches out of the window`);
        if (
          element.tagName === 'BUTTON'
          && element.scrollWidth > element.clientWidth + 1
          && getComputedStyle(element).overflowX !== 'visible'
        )
          wrong.push(`${named(element)} is cut off`);
        if (!scroller && cut(element, rect)) wrong.push(`${named(element)} is cut off by what is around it`);
      }
      return wrong;
    },
  };
  /** A radio group or a tab list is one stop. */
  function within(element) {
    return element.tagName === 'INPUT' && element.type === 'radio';
  }
  /** Hidden from the eye only, such as the input behind a button for files. */
  function hidden(element) {
    const { width, height } = element.getBoundingClientRect();
    return (
      width <= 1
      || height <= 1
      || getComputedStyle(element).clipPath === 'inset(50%)'
      || (element.getBoundingClientRect().bottom < 0 && getComputedStyle(element).position === 'absolute')
    );
  }
  /** The rectangle of an element; that of a link without the end of its text that its cell cuts off with an ellipsis. */
  function shown(element) {
    const { left, right } = element.getBoundingClientRect();
    const cell = element.tagName === 'A' ? element.closest('td') : null;
    const end =
      cell && getComputedStyle(cell).textOverflow === 'ellipsis' ? cell.getBoundingClientRect().right : right;
    return { left, right: Math.min(right, end) };
  }
  function scrolls(element) {
    for (let at = element.parentElement; at && at.id !== 'main'; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return at;
    }
    return null;
  }
  /** Whether an ancestor that hides what is outside of it hides a part of a control, other than the end of a text. */
  function cut(element, rect) {
    if (element.tagName === 'A') return false;
    for (let at = element.parentElement; at && at.id !== 'main'; at = at.parentElement) {
      if (!/hidden|clip/.test(getComputedStyle(at).overflowX)) continue;
      const around = at.getBoundingClientRect();
      if (rect.right > around.right + 2 || rect.left < around.left - 2) return true;
    }
    return false;
  }
}

/** Signs in; the result goes to paths without loading the app again. */
async function begin(page, address, password) {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.evaluate(install);
  return async (path) => {
    await page.evaluate((to) => {
      const head = document.querySelector('#main h1');
      if (window.location.pathname + window.location.search !== to) head?.setAttribute('data-before', '');
      window.history.pushState({}, '', to);
    }, path);
    await settled(page);
  };
}

/** Waits until a page is shown, and for a moment does not change any more. */
async function settled(page) {
  await page.waitForFunction(
    () =>
      document.querySelector('#main h1:not([data-before])')
      && !document.querySelector('#main [aria-busy=true]'),
  );
  await page.evaluate(() => window.keyboard.quiet());
}

/** A path of an object that a list links to. */
async function linked(page, go, list, pattern, text = '') {
  await go(list);
  const link = page.locator(`#main a[href^="${pattern}"]`).filter({ hasText: text }).first();
  await link.waitFor();
  return link.getAttribute('href');
}

/** Walks with Tab from the beginning of a part of the page to its end, and a little further. */
async function tabThrough(page, selector) {
  const count = await page.evaluate((part) => window.keyboard.begin(part), selector);
  for (let press = 0; press < count + 2; press++) await page.keyboard.press('Tab');
  // Frames have stops of their own, and a list may have grown meanwhile.
  for (
    let press = 0;
    press < 40
    && (await page.evaluate(
      (part) =>
        window.keyboard.inside(part)
        && window.keyboard.end(part).some((fault) => fault.endsWith('not reached')),
      selector,
    ));
    press++
  )
    await page.keyboard.press('Tab');
  return page.evaluate((part) => window.keyboard.end(part), selector);
}

/** Opens a dialog with the keyboard, walks around in it, and closes it. */
async function tryDialog(page, name) {
  const faults = [];
  const button = page.locator('#main').getByRole('button', { name, exact: true }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.waitForFunction(() => document.querySelector('[role=dialog]')?.contains(document.activeElement));
  const stops = await dialog.locator('a[href], button, input, select, textarea, [tabindex="0"]').count();
  for (let press = 0; press <= stops + 1; press++) {
    await page.keyboard.press(press > stops ? 'Shift+Tab' : 'Tab');
    if (!(await page.evaluate(() => window.keyboard.inside('[role=dialog]')))) {
      faults.push(`the focus leaves the dialog ${name}`);
      break;
    }
  }
  await page.keyboard.press('Escape');
  await dialog
    .waitFor({ state: 'detached' })
    .catch(() => faults.push(`Escape does not close the dialog ${name}`));
  if (!(await button.evaluate((element) => element === document.activeElement)))
    faults.push(`the focus does not return to ${name}`);
  return faults;
}

/** Opens the drawer of the first row with the keyboard, and closes it. */
async function tryDrawer(page) {
  const faults = [];
  const row = page.locator('#main tr a[data-row]').first();
  await page.evaluate(() => window.keyboard.quiet());
  if ((await row.count()) === 0) return ['there is no row'];
  await row.focus();
  await page.keyboard.press('Enter');
  const close = page.locator('#main aside').getByRole('button', { name: 'Close' });
  await close.waitFor();
  await page.evaluate(() => window.keyboard.quiet());
  faults.push(...(await tabThrough(page, '#main aside')));
  await page.keyboard.press('Escape');
  await close.waitFor({ state: 'detached' }).catch(() => faults.push('Escape does not close the drawer'));
  if (
    !(await page
      .waitForFunction(() => document.activeElement?.matches('a[data-row]'), null, { timeout: 5000 })
      .catch(() => null))
  )
    faults.push('the focus does not return to the row');
  return faults;
}

/** The parts that all pages share. */
async function walkFrame(page, go, first, problems) {
  const say = (fault) => problems.push(`frame of ${first}: ${fault}`);
  await page.goto(first);
  await page.locator('#main h1').first().waitFor({ state: 'attached' });
  await page.evaluate(install);
  await settled(page);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the page' });
  if (
    !(await skip.evaluate((link) => link === document.activeElement && link.getBoundingClientRect().top >= 0))
  )
    say('the first stop is not the visible skip link');
  await page.keyboard.press('Enter');
  if (!(await page.evaluate(() => document.activeElement?.id === 'main')))
    say('the skip link does not lead to the page');
  (await tabThrough(page, 'aside[aria-label="Navigation"]')).forEach(say);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Address, subject, name, id or page').waitFor();
  await page.keyboard.press('Escape');
  await page.getByPlaceholder('Address, subject, name, id or page').waitFor({ state: 'detached' });
  const who = page.getByRole('button', { name: /^Account / }).first();
  await who.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' });
  if (
    !(await page.evaluate(() => /^Account /.test(document.activeElement?.getAttribute('aria-label') ?? '')))
  )
    say('the focus does not return to the menu of the account');
}

/** Visits pages by their paths, which are named by the patterns they belong to. */
async function visit(page, go, visits, problems) {
  for (const [name, path] of visits) {
    const say = (fault) => problems.push(`${name}: ${fault}`);
    await go(path);
    (await tabThrough(page, '#main')).forEach(say);
    for (const button of DIALOGS[name] ?? []) (await tryDialog(page, button)).forEach(say);
    if (DRAWERS.includes(name)) (await tryDrawer(page)).forEach(say);
    for (const zoom of ZOOMS) {
      await page.setViewportSize(zoom);
      await page.evaluate(() => window.keyboard.quiet());
      const wrong = await page.evaluate(() => window.keyboard.clipped());
      wrong.forEach((fault) => say(`at ${zoom.width} px ${fault}`));
      if (wrong.length > 0)
        await page.screenshot({
          path: `${process.env.PICTURES}/zoom-${name.replace(/\W+/g, '-')}-${zoom.width}.png`,
          fullPage: true,
        });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}

await journey('keyboard', origin, async ({ page, person, problems, step }) => {
  const all = paths();
  const walkTenant = async () => {
    const go = await begin(page, tenant, process.env.DEMO);
    await walkFrame(page, go, '/overview', problems);
    const one = async (list, pattern) => linked(page, go, list, pattern);
    const visits = [
      ...all.filter((path) => !path.startsWith('/operator')).map((path) => [path, path]),
      ['/templates/new', '/templates/new'],
      ['/campaigns/compose', '/campaigns/compose'],
    ];
    for (const [name, list, pattern] of [
      ['/emails/:email', '/emails', '/emails/'],
      ['/campaigns/:campaign', '/campaigns', '/campaigns/0'],
      ['/templates/:template', '/templates', '/templates/0'],
      ['/contacts/:book', '/contacts', '/contacts/0'],
      ['/domains/:domain', '/domains', '/domains/0'],
      ['/webhooks/:webhook', '/webhooks', '/webhooks/0'],
    ]) {
      visits.push([name, await one(list, pattern)]);
    }
    visits.push([
      '/contacts/:book/import',
      `${visits.find(([name]) => name === '/contacts/:book')[1]}/import`,
    ]);
    await visit(page, go, visits, problems);
    step(`walked through ${visits.length} pages of tenants`);
  };
  const walkConsole = async () => {
    const operator = await person();
    const go = await begin(operator, process.env.OPERATOR, process.env.PASSWORD);
    await walkFrame(operator, go, '/operator', problems);
    const visits = all.filter((path) => path.startsWith('/operator')).map((path) => [path, path]);
    visits.push([
      '/operator/accounts/:account',
      await linked(operator, go, '/operator/accounts', '/operator/accounts/', 'Quillmoor Press'),
    ]);
    await visit(operator, go, visits, problems);
    step(`walked through ${visits.length} pages of operators`);
  };
  await Promise.all([walkTenant(), walkConsole()]);
});
