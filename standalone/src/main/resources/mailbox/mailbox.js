'use strict';

// Lists the caught mails, newest first, and polls for more every second. The chosen mail is in the URL's fragment.

const INTERVAL_MS = 1000;

/** Rows at most; older mails are found by the search. */
const MAX_ROWS = 300;

/** Mails that are kept. */
const MAX_KEPT = 1000;

const byId = (id) => document.getElementById(id);
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const narrow = matchMedia('(max-width: 760px)');

let mails = [];
let calls = [];
let shownCalls = false;
let etag = '';
let chosen = location.hash.slice(1);
let preferred = '';

const VIEWS = {
  Message: { fits: (mail) => mail.html !== '', show: frame },
  Text: { fits: (mail) => mail.text !== '' || mail.html === '', show: (mail) => linked(mail.text) },
  Headers: { fits: () => true, show: (mail) => headers(mail.headers) },
  Source: { fits: () => true, show: source },
};

/** The HTML in a sandboxed frame: its own response forbids scripts, forms and remote content. Links open a window. */
function frame(mail) {
  const shown = element('iframe');
  shown.title = 'The mail as HTML';
  shown.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  shown.src = `messages/${mail.id}/html`;
  return shown;
}

function linked(text) {
  const shown = element('pre');
  shown.className = 'text';
  for (const [at, piece] of text.split(/(https?:\/\/[^\s<>"']+)/).entries()) {
    if (at % 2 === 0) {
      shown.append(piece);
    } else {
      shown.append(Object.assign(element('a', piece), { href: piece, target: '_blank', rel: 'noreferrer' }));
    }
  }
  return shown;
}

function headers(all) {
  const table = element('table');
  for (const [name, value] of Object.entries(all)) {
    const heading = element('th', name);
    heading.scope = 'row';
    table.insertRow().append(heading, element('td', value));
  }
  return table;
}

function source(mail) {
  const shown = element('pre', 'Loading');
  fetch(`messages/${mail.id}/raw`)
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(response.statusText))))
    .then(
      (text) => {
        shown.textContent = text;
      },
      () => {
        shown.textContent = 'The mail is no longer kept.';
      },
    );
  return shown;
}

/** As in the web app: 14:02:11 today, else 21 Nov, 09:12. */
function time(text) {
  const at = new Date(text);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(
    'en-GB',
    today ? { timeStyle: 'medium' } : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  );
}

async function open(id, focus) {
  chosen = id;
  history.replaceState(null, '', '#' + id);
  mark();
  const response = await fetch('messages/' + id);
  if (chosen !== id) {
    return;
  }
  if (!response.ok) {
    close();
    return;
  }
  show(await response.json(), focus);
}

function show(mail, focus) {
  const shown = byId('opened').content.cloneNode(true);
  const heading = shown.querySelector('h2');
  heading.textContent = mail.subject || '(no subject)';
  heading.tabIndex = -1;
  shown.querySelector('.from').textContent = mail.headers.From || mail.mail_from;
  shown.querySelector('.to').textContent = mail.rcpt_to.join(', ');
  shown.querySelector('.received').textContent = new Date(mail.received_at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  shown.querySelector('.back').onclick = () => close(true);
  const names = Object.keys(VIEWS).filter((name) => VIEWS[name].fits(mail));
  shown.querySelector('.tabs').append(...names.map((name) => tab(mail, name)));
  byId('mail').replaceChildren(shown);
  byId('mail').hidden = false;
  byId('hint').hidden = true;
  byId('mails').classList.add('chosen');
  select(mail, names.includes(preferred) ? preferred : names[0]);
  if (focus) {
    heading.focus();
  }
}

function tab(mail, name) {
  const button = element('button', name);
  button.type = 'button';
  button.setAttribute('role', 'tab');
  button.setAttribute('aria-controls', 'view');
  button.onclick = () => {
    preferred = name;
    select(mail, name);
  };
  button.onkeydown = (event) => {
    const next = { ArrowRight: button.nextElementSibling, ArrowLeft: button.previousElementSibling }[
      event.key
    ];
    if (next) {
      next.click();
      next.focus();
    }
  };
  return button;
}

function select(mail, name) {
  for (const button of document.querySelectorAll('.tabs button')) {
    button.setAttribute('aria-selected', String(button.textContent === name));
    button.tabIndex = button.textContent === name ? 0 : -1;
  }
  byId('view').setAttribute('aria-label', name);
  byId('view').replaceChildren(VIEWS[name].show(mail));
}

function close(focus) {
  const before = chosen;
  chosen = '';
  history.replaceState(null, '', location.pathname);
  byId('mail').hidden = true;
  byId('hint').hidden = false;
  byId('mails').classList.remove('chosen');
  mark();
  if (focus) {
    document.querySelector(`#list button[data-id="${CSS.escape(before)}"]`)?.focus();
  }
}

function mark() {
  for (const button of document.querySelectorAll('#list button')) {
    button.toggleAttribute('aria-current', button.dataset.id === chosen);
  }
}

function row(mail) {
  const shown = byId('row').content.cloneNode(true);
  const button = shown.querySelector('button');
  button.dataset.id = mail.id;
  button.onclick = () => open(mail.id, narrow.matches);
  shown.querySelector('.to').textContent = mail.rcpt_to.join(', ');
  shown.querySelector('time').textContent = time(mail.received_at);
  shown.querySelector('time').dateTime = mail.received_at;
  shown.querySelector('.subject').textContent = mail.subject || '(no subject)';
  shown.querySelector('.excerpt').textContent = mail.excerpt;
  return shown;
}

/** The calls, of which those that were opened stay open. */
function listCalls(wanted) {
  const opened = new Set(
    [...document.querySelectorAll('#call-list details[open]')].map((it) => it.dataset.id),
  );
  const found = calls.filter((call) => `${call.path} ${call.body}`.toLowerCase().includes(wanted));
  byId('call-list').replaceChildren(...found.map((call) => callRow(call, opened.has(call.id))));
  byId('no-call').hidden = calls.length > 0;
}

function callRow(call, open) {
  const shown = byId('call').content.cloneNode(true);
  const details = shown.querySelector('details');
  details.dataset.id = call.id;
  details.open = open;
  let body = call.body;
  let type = '';
  try {
    const json = JSON.parse(body);
    type = String(json.type ?? '');
    body = JSON.stringify(json, null, 2);
  } catch {
    // Shown as it is.
  }
  shown.querySelector('time').textContent = time(call.received_at);
  shown.querySelector('.type').textContent = type || 'no event';
  shown.querySelector('.path').textContent = call.path;
  shown.querySelector('.status').textContent = call.status;
  const verification = shown.querySelector('.verification');
  verification.textContent = call.verification;
  verification.classList.toggle('bad', call.verification !== 'verified');
  shown.querySelector('.body').textContent = body;
  shown.querySelector('.body').before(headers(call.headers));
  return shown;
}

function choose(whichCalls) {
  shownCalls = whichCalls;
  byId('show-calls').setAttribute('aria-pressed', String(whichCalls));
  byId('show-mails').setAttribute('aria-pressed', String(!whichCalls));
  list();
}

function counted(number, noun) {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}

/** The number of mails, and what is not shown or no longer kept. */
function countOf(found) {
  const kept =
    mails.length < MAX_KEPT ? counted(mails.length, 'mail') : `the last ${counted(MAX_KEPT, 'mail')}`;
  if (found > MAX_ROWS)
    return `Newest ${MAX_ROWS} of ${found === mails.length ? kept : counted(found, 'mail')}`;
  return found === mails.length ? kept : `${found} of ${kept}`;
}

function list() {
  const wanted = byId('search').value.trim().toLowerCase();
  const found = mails.filter((mail) =>
    [mail.subject, ...mail.rcpt_to].some((text) => text.toLowerCase().includes(wanted)),
  );
  const focused = document.activeElement?.dataset?.id;
  byId('list').replaceChildren(...found.slice(0, MAX_ROWS).map(row));
  if (focused) {
    document.querySelector(`#list button[data-id="${CSS.escape(focused)}"]`)?.focus();
  }
  mark();
  byId('none').hidden = found.length > 0;
  byId('mails').hidden = shownCalls || mails.length === 0;
  byId('empty').hidden = shownCalls || mails.length > 0;
  byId('calls').hidden = !shownCalls;
  byId('clear').hidden = mails.length + calls.length === 0;
  byId('show-calls').textContent = calls.length ? `Webhook calls (${calls.length})` : 'Webhook calls';
  listCalls(wanted);
  byId('count').textContent = shownCalls ? counted(calls.length, 'call') : countOf(found.length);
  if (chosen && !mails.some((mail) => mail.id === chosen)) {
    close();
  }
  if (chosen ? byId('mail').hidden : found.length > 0 && !narrow.matches) {
    open(chosen || found[0].id);
  }
}

async function poll() {
  try {
    const response = await fetch('mailbox.json', {
      headers: etag ? { 'If-None-Match': etag } : {},
      cache: 'no-store',
    });
    if (response.status === 200) {
      ({ messages: mails, calls } = await response.json());
      etag = response.headers.get('ETag');
      list();
    }
    connected(true);
  } catch {
    connected(false);
  }
}

function connected(yes) {
  const text = yes ? 'Live' : 'Mailroom does not answer';
  byId('live').classList.toggle('lost', !yes);
  if (byId('live').textContent !== text) {
    byId('live').textContent = text;
  }
}

async function keepPolling() {
  await poll();
  setTimeout(keepPolling, INTERVAL_MS);
}

function moveInList(event) {
  const items = [...document.querySelectorAll('#list button')];
  const at = items.indexOf(document.activeElement);
  const next = { ArrowDown: items[at + 1], ArrowUp: items[at - 1] }[event.key];
  if (at >= 0 && next) {
    event.preventDefault();
    next.focus();
    if (!narrow.matches) {
      next.click();
    }
  }
}

byId('list').onkeydown = moveInList;
byId('search').oninput = list;
byId('unfilter').onclick = () => {
  byId('search').value = '';
  list();
};
byId('show-mails').onclick = () => choose(false);
byId('show-calls').onclick = () => choose(true);
byId('hook').textContent = new URL('webhooks/test', location.href).href;
byId('clear').onclick = () => fetch('messages', { method: 'DELETE' }).then(poll);
fetch('try')
  .then((response) => response.text())
  .then((text) => {
    byId('try').textContent = text;
  });
keepPolling();
