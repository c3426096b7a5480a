import { escapeHtml } from '../../ground/text/escape-html.ts'
import type { StoredMail } from './store.ts'

const style = `
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #23211e; --quiet: #6b675f; --line: #e4e0d7; --mark: #b4442c }
@media (prefers-color-scheme: dark) {
  :root { --paper: #171613; --card: #1f1d1a; --ink: #ece8e0; --quiet: #a09a8e; --line: #35322c; --mark: #ea8a70 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 40px 20px 80px }
header { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; margin-bottom: 20px }
h1 { font-size: 20px; margin: 0 }
header p, .quiet { color: var(--quiet); margin: 0 }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 12px; overflow: hidden }
summary { list-style: none; cursor: pointer; padding: 14px 18px; display: grid; grid-template-columns: 1fr auto; gap: 2px 16px }
summary::-webkit-details-marker { display: none }
summary:focus-visible { outline: 2px solid var(--mark); outline-offset: -2px; border-radius: 8px }
.subject { font-weight: 600; overflow-wrap: anywhere }
.to { color: var(--quiet); overflow-wrap: anywhere }
time { color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap }
.code { grid-row: 1 / 3; grid-column: 3; align-self: center; font: 600 26px/1 ui-monospace, monospace; letter-spacing: 3px; color: var(--mark) }
.body { border-top: 1px solid var(--line) }
iframe { display: block; width: 100%; height: 30rem; border: 0; background: #fff }
pre { margin: 0; padding: 16px 18px; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; border-top: 1px solid var(--line) }
.empty { text-align: center; padding: 72px 20px; border: 1px dashed var(--line); border-radius: 8px; color: var(--quiet) }
@media (max-width: 520px) { .code { grid-row: auto; grid-column: 1 / -1; padding-top: 8px } summary { grid-template-columns: 1fr } }
`

/** The inbox for people: newest first, the newest one open, a code in large figures. Works without any script. */
export function renderPage(mails: readonly StoredMail[]): string {
  const list =
    mails.length === 0
      ? '<div class="empty"><p>No mail yet.</p><p>What the application sends appears here instead of leaving this machine.</p></div>'
      : mails.map((mail, index) => renderMail(mail, index === 0)).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${mails.length === 0 ? '<meta http-equiv="refresh" content="3">' : ''}
<title>Inbox (${mails.length})</title>
<style>${style}</style>
</head>
<body>
<main>
<header><h1>Inbox</h1><p>${mails.length === 1 ? '1 mail' : `${mails.length} mails`}, newest first</p></header>
${list}
</main>
</body>
</html>
`
}

function renderMail(mail: StoredMail, open: boolean): string {
  const at = mail.createdAt.toISOString()
  const code = findCode(mail.text)
  // The mail's HTML is not trusted: the frame may run, send and load nothing, only open links.
  return `<details${open ? ' open' : ''}>
<summary><span class="subject">${escapeHtml(mail.subject)}</span><time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time><span class="to">to ${escapeHtml(mail.to)}</span>${code === null ? '' : `<span class="code">${escapeHtml(code)}</span>`}</summary>
<div class="body">
${mail.kind === 'sms' ? '' : `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${escapeHtml(mail.subject)}" srcdoc="${escapeHtml(withTarget(mail.html))}"></iframe>`}
<pre>${linkify(escapeHtml(mail.text))}</pre>
</div>
</details>`
}

/** The one-time code of a mail: 6 to 10 digits after the word `code` on its line. */
const findCode = (text: string): string | null => /\bcode\b[^\n]*?\b(\d{6,10})\b/i.exec(text)?.[1] ?? null

/** Links open beside the inbox, not inside its frame. */
const withTarget = (html: string): string => `<base target="_blank">${html}`

const linkify = (escaped: string): string =>
  escaped.replace(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`)
