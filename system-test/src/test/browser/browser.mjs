// A Chromium from npm, and what every page must keep: no console error, no violation of the CSP, no finding of axe.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Unpacks the libraries that Chromium needs, which this variable asks for.
process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
const { default: chromium } = await import('@sparticuz/chromium');
const { chromium: playwright } = await import('playwright-core');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Deadline of each wait on a busy machine. */
export const TIMEOUT = 60_000;

export const WIDTHS = [1440, 390];

export async function open(origin, pictures) {
  mkdirSync(pictures, { recursive: true });
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox', '--disable-background-networking'],
  });
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', colorScheme: 'light', locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  context.setDefaultTimeout(TIMEOUT);
  const problems = [];
  await context.exposeFunction('reportViolation', (text) => problems.push(`CSP: ${text}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
  });
  const page = await context.newPage();
  page.on('console', (message) => { if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`); });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  return { browser, page, problems, look: (name) => look(page, problems, pictures, name, WIDTHS.flatMap((width) => [[width, 'light'], [width, 'dark']])),
    visit: (name) => look(page, problems, pictures, name, [[1440, 'light'], [1440, 'dark'], [390, 'light']]),
    glance: (name) => look(page, problems, pictures, name, [[1440, 'light'], [390, 'dark']]) };
}

/** Takes pictures of a page in widths and themes, and has axe read each. */
async function look(page, problems, pictures, name, views) {
  for (const [width, theme] of views) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, theme);
    await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) });
    if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
    const { violations, over } = await page.evaluate(async () => ({
      violations: (await window.axe.run(document, { resultTypes: ['violations'] })).violations,
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    for (const { id, nodes } of violations) problems.push(`axe on ${name}, ${theme}, ${width}: ${id} ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`);
    if (over > 0) problems.push(`${name} is ${over} px wider than ${width} px`);
  }
  await page.evaluate(() => { delete document.documentElement.dataset.theme; });
  await page.setViewportSize({ width: 1440, height: 900 });
}
