// A Chromium from npm, and the checks of every page: no console error, no violation of the CSP, no finding of axe.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// With this variable the package unpacks the libraries that Chromium needs.
process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
const { default: chromium } = await import('@sparticuz/chromium');
// Draws without OpenGL, whose emulation takes twice the CPU time.
chromium.setGraphicsMode = false;
const { chromium: playwright } = await import('playwright-core');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Deadline of each wait on a busy machine. */
export const TIMEOUT = 60_000;

/** The rules of axe whose result depends on colours: all others have the same result in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Path of the Chromium in the temporary directory, where the first call unpacks it. */
export const unpack = () => chromium.executablePath();

export async function open(origin, pictures) {
  mkdirSync(pictures, { recursive: true });
  const browsers = [];
  const problems = [];
  /** A person with a browser of their own: contexts of this Chromium, which is a single process, share their broadcast channels. */
  const person = async () => {
    const browser = await playwright.launch({
      executablePath: await unpack(),
      args: [...chromium.args, '--no-sandbox', '--disable-background-networking'],
    });
    browsers.push(browser);
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      colorScheme: 'light',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    context.setDefaultTimeout(TIMEOUT);
    await context.exposeFunction('reportViolation', (text) => problems.push(`CSP: ${text}`));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        window.reportViolation(
          `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
        ),
      );
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    return page;
  };
  const page = await person();
  const browser = { close: () => Promise.all(browsers.map((each) => each.close())) };
  return {
    browser,
    page,
    person,
    problems,
    look: (name) =>
      look(page, problems, pictures, name, [
        [1440, 'light'],
        [1440, 'dark', 'not drawn'],
        [390, 'light', 'not drawn'],
        [390, 'dark', 'not read'],
      ]),
    visit: (name) =>
      look(page, problems, pictures, name, [
        [1440, 'light'],
        [1440, 'dark', 'not drawn'],
        [390, 'light'],
      ]),
    glance: (name) =>
      look(page, problems, pictures, name, [
        [1440, 'light'],
        [390, 'dark'],
      ]),
  };
}

/** Runs a journey, prints its problems and ends the process. */
export async function journey(name, origin, travel) {
  const began = Date.now();
  const opened = await open(origin, process.env.PICTURES);
  const { browser, page, problems } = opened;
  const step = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${text}`);
  try {
    await travel({ ...opened, step });
  } catch (error) {
    problems.push(error.message);
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-failure.png` }).catch(() => undefined);
  } finally {
    await browser.close();
  }
  problems.forEach((problem) => console.error(problem));
  console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}

/** Waits until a page has been drawn in a new width, and for its tables, which measure themselves. */
async function settle(page, width) {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page
    .waitForFunction((value) => document.documentElement.scrollWidth <= value, width, { timeout: 5000 })
    .catch(() => undefined);
}

/**
 * Takes pictures of a page in widths and themes, and has axe read it. The colours of narrow pages are those of wide ones,
 * so that one view is not read; a second theme of the same width is read for what depends on colours only. Pictures of a
 * wide and a narrow view are enough to look at; with ALL_PICTURES in the environment all views are drawn.
 */
async function look(page, problems, pictures, name, views) {
  let last;
  for (const [width, theme, except] of views) {
    if (width !== last) await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await page.evaluate((value) => {
      document.documentElement.dataset.theme = value;
    }, theme);
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    if (width !== last) await settle(page, width);
    if (except !== 'not drawn' || process.env.ALL_PICTURES)
      await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) });
    if (except === 'not read') continue;
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    const { violations, over } = await page.evaluate(
      async (rules) => ({
        // The frames of mails are sandboxes without scripts, which axe cannot enter.
        violations: (
          await window.axe.run(document, {
            resultTypes: ['violations'],
            iframes: false,
            ...(rules ? { runOnly: rules } : {}),
          })
        ).violations,
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }),
      width === last ? COLOUR_RULES : null,
    );
    last = width;
    for (const { id, nodes } of violations)
      problems.push(
        `axe on ${name}, ${theme}, ${width}: ${id} ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
      );
    if (over > 0) problems.push(`${name} is ${over} px wider than ${width} px`);
  }
  await page.evaluate(() => {
    delete document.documentElement.dataset.theme;
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
