// The default theme with the fonts and colours of the web app, and buttons that copy a page.
import { h, ref } from 'vue';
import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

/** Copies a text; browsers have a clipboard on secure origins only. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.className = 'copied-text';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

const prompt = (title, name) => `Send email with Mailroom from this project. ${title}.

- Read ${location.origin}/llms.txt, then ${location.origin}/docs/${name}.md and the guides that the task needs.
- The API is at ${location.origin}/api. The key is in the environment variable MAILROOM_API_KEY: never write it into a file, a log or an answer.
- While you develop, ask for a key with the permission emails.sandbox and send to recipients of the sandbox (${location.origin}/docs/sandbox.md).
- Give each mail an Idempotency-Key that stays the same when the call is repeated.
- Check the result: GET /emails/{id} shows the status, and in the standalone the mailbox shows the mail (http://localhost:8025/messages?to=ADDRESS).
`;

const Copies = {
  setup() {
    const { page } = useData();
    const said = ref('');
    const name = () => page.value.relativePath.replace(/\.md$/, '');
    const say = async (text) => {
      await copy(text);
      said.value = 'Copied';
      setTimeout(() => (said.value = ''), 2000);
    };
    const markdown = async () => say(await (await fetch(`/docs/${name()}.md`)).text());
    return () =>
      page.value.isNotFound
        ? null
        : h('nav', { class: 'copies', 'aria-label': 'Copies of this page' }, [
            h('button', { type: 'button', onClick: markdown }, 'Copy as Markdown'),
            name().startsWith('quickstart-') || name() === 'spring'
              ? h(
                  'button',
                  { type: 'button', onClick: () => say(prompt(page.value.title, name())) },
                  'Copy prompt',
                )
              : null,
            h('a', { href: `/docs/${name()}.md`, target: '_self' }, 'Markdown'),
            h('span', { role: 'status' }, said.value),
          ]);
  },
};

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(Copies) }),
  enhanceApp() {
    // Until the site had its home at this address, the reference was here, with the operation in the fragment.
    if (
      typeof location !== 'undefined'
      && /^\/docs\/?$/.test(location.pathname)
      && /^#(tag|model|description)\//.test(location.hash)
    )
      location.replace(`/docs/reference${location.hash}`);
  },
};
