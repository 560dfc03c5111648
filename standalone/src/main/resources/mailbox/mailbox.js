'use strict'

// Shows what the catching server holds, and asks once a second whether there is more.

const EVERY_MS = 1000

const page = id => document.getElementById(id)
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

let mails = []
let seen = ''
let chosen = ''
let way = ''

const WAYS = {
  HTML: mail => mail.html && framed(mail.html),
  Text: mail => (mail.text || !mail.html) && linked(mail.text),
  Headers: mail => headers(mail.headers),
  Raw: mail => raw(mail.id)
}

// No script, no form, no load: the frame is sandboxed and inherits the page's policy.
// Its links may open a new window, for people follow the links of their mails.
function framed(html) {
  const frame = element('iframe')
  frame.title = 'The mail as HTML'
  frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
  frame.srcdoc = '<base target="_blank">' + html
  return frame
}

function linked(text) {
  const shown = element('pre')
  shown.className = 'text'
  for (const [at, piece] of text.split(/(https?:\/\/[^\s<>"']+)/).entries()) {
    if (at % 2 === 0) {
      shown.append(piece)
    } else {
      const link = element('a', piece)
      link.href = piece
      link.target = '_blank'
      link.rel = 'noreferrer'
      shown.append(link)
    }
  }
  return shown
}

function headers(all) {
  const table = element('table')
  for (const [name, value] of Object.entries(all)) {
    const row = table.insertRow()
    row.append(element('th', name), element('td', value))
  }
  return table
}

function raw(id) {
  const shown = element('pre', '…')
  fetch('messages/' + id + '/raw')
    .then(answer => answer.ok ? answer.text() : Promise.reject(new Error('gone')))
    .then(text => { shown.textContent = text }, () => { shown.textContent = 'This mail is gone.' })
  return shown
}

function when(mail) {
  const at = new Date(mail.received_at)
  return at.toDateString() === new Date().toDateString() ? at.toLocaleTimeString() : at.toLocaleString()
}

function open(id) {
  chosen = id
  for (const button of document.querySelectorAll('#list button')) {
    button.toggleAttribute('aria-current', button.dataset.id === id)
  }
  const mail = mails.find(each => each.id === id)
  const shown = page('opened').content.cloneNode(true)
  shown.querySelector('h2').textContent = mail.subject || '(no subject)'
  shown.querySelector('.from').textContent = mail.headers.From || mail.mail_from
  shown.querySelector('.to').textContent = mail.rcpt_to.join(', ')
  shown.querySelector('.received').textContent = new Date(mail.received_at).toLocaleString()
  page('mail').replaceChildren(shown)
  const ways = Object.keys(WAYS).filter(name => name === 'Headers' || name === 'Raw' || WAYS[name](mail))
  page('mail').querySelector('.tabs').append(...ways.map(name => {
    const tab = element('button', name)
    tab.type = 'button'
    tab.setAttribute('role', 'tab')
    tab.onclick = () => { way = name; see(mail, name) }
    return tab
  }))
  see(mail, ways.includes(way) ? way : ways[0])
}

function see(mail, name) {
  for (const tab of page('mail').querySelectorAll('.tabs button')) {
    tab.setAttribute('aria-selected', String(tab.textContent === name))
  }
  page('mail').querySelector('.shown').replaceChildren(WAYS[name](mail))
}

function row(mail) {
  const shown = page('row').content.cloneNode(true)
  const button = shown.querySelector('button')
  button.dataset.id = mail.id
  button.toggleAttribute('aria-current', mail.id === chosen)
  button.onclick = () => open(mail.id)
  shown.querySelector('.to').textContent = mail.rcpt_to.join(', ')
  shown.querySelector('time').textContent = when(mail)
  shown.querySelector('.subject').textContent = mail.subject || '(no subject)'
  shown.querySelector('.excerpt').textContent = mail.text.slice(0, 140)
  return shown
}

function list() {
  const wanted = page('search').value.trim().toLowerCase()
  const found = mails.filter(mail => mail.rcpt_to.some(each => each.toLowerCase().includes(wanted)))
  page('list').replaceChildren(...found.map(row))
  page('mails').hidden = mails.length === 0
  page('empty').hidden = mails.length > 0
  page('clear').disabled = mails.length === 0
  page('count').className = ''
  page('count').textContent = wanted ? `${found.length} of ${mails.length}` : mails.length === 1 ? '1 mail' : `${mails.length} mails`
  if (chosen && !mails.some(mail => mail.id === chosen)) {
    chosen = ''
    page('mail').replaceChildren(Object.assign(element('p', 'Choose a mail.'), { className: 'hint' }))
  }
  if (!chosen && found.length > 0) {
    open(found[0].id)
  }
}

async function look() {
  try {
    const answer = await fetch('messages', { headers: seen ? { 'If-None-Match': seen } : {}, cache: 'no-store' })
    if (answer.status === 200) {
      mails = (await answer.json()).messages
      list()
      seen = answer.headers.get('ETag')
    } else if (page('count').className) {
      list()
    }
  } catch {
    page('count').className = 'lost'
    page('count').textContent = 'Mailroom does not answer'
  }
}

async function keepLooking() {
  await look()
  setTimeout(keepLooking, EVERY_MS)
}

page('search').oninput = list
page('clear').onclick = () => fetch('messages', { method: 'DELETE' }).then(look)
fetch('try').then(answer => answer.text()).then(text => { page('try').textContent = text })
keepLooking()
