import { gzipSync } from 'node:zlib'

/** What is sent to an endpoint: a body, an address, or headers that cost as much as they can. */
export interface Costly {
  readonly title: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

const MiB = 1024 ** 2

/** A list of one text again and again, up to a size. */
const listOf = (unit: string, bytes: number): string => `[${`${unit},`.repeat(Math.floor(bytes / (unit.length + 1)))}1]`

/** Members or elements that are each another one. */
function numbered(bytes: number, one: (n: string) => string): string {
  const parts: string[] = []
  for (let n = 0, length = 0; length < bytes; n += 1) {
    const part = one(n.toString(36))
    parts.push(part)
    length += part.length + 1
  }
  return parts.join(',')
}

/** Bodies of a size that are dear for their size, as JSON. */
export function costlyJson(bytes: number): readonly (readonly [title: string, text: string])[] {
  return [
    ['brackets', '['.repeat(bytes)],
    ['objects in one another', '{"a":'.repeat(bytes / 5)],
    ['brackets just deep enough', listOf('['.repeat(150) + ']'.repeat(150), bytes)],
    ['empty lists', listOf('[]', bytes)],
    ['one string', `{"a":"${'x'.repeat(bytes - 10)}"}`],
    ['one string of escapes', `{"a":"${'\\u00e4'.repeat((bytes - 10) / 6)}"}`],
    ['one string of quotes', `{"a":"${'\\"'.repeat((bytes - 10) / 2)}"}`],
    ['one key', `{"${'k'.repeat(bytes - 10)}":1}`],
    ['many keys', `{${numbered(bytes, (n) => `"${n}":1`)}}`],
    ['many small objects', listOf('{"a":1}', bytes)],
    ['objects of other keys each', `[${numbered(bytes, (n) => `{"${n}":1}`)}]`],
    ['many elements', listOf('1', bytes)],
    ['a long number', `{"a":${'1'.repeat(Math.min(bytes, MiB))}}`],
    ['much space', `[${' '.repeat(bytes - 2)}]`],
    ['no JSON', 'x'.repeat(bytes)],
  ]
}

/** Lists of names and settings as storage takes them, of a size. */
export function costlyNames(bytes: number): readonly Costly[] {
  const lists = (name: string): readonly (readonly [string, string])[] =>
    [
      ['empty names', '""'],
      ['long names', `"${'x'.repeat(1024)}"`],
      ['names of escapes', `"${'\\u00e4'.repeat(170)}"`],
      ['folders', `"${'a/'.repeat(500)}"`],
    ].map(([title = '', unit = '']) => [
      `${name}: ${title}`,
      `{"expiresIn":60,"${name}":${listOf(unit, bytes - 100).replace(/1]$/, '""]')}}`,
    ])
  const text = (name: string, unit: string) => [
    `${name} of ${unit.slice(0, 9)}`,
    `{"prefix":"","name":"n","${name}":"${unit.repeat(Math.floor((bytes - 100) / unit.length))}"}`,
  ]
  return [
    ...lists('prefixes'),
    ...lists('paths'),
    ...lists('allowed_mime_types'),
    ...[
      ['prefix', 'a/'],
      ['search', '%_'],
      ['cursor', Buffer.from('l:a\n').toString('base64')],
      ['name', ' '],
      ['file_size_limit', '1'],
    ].map(([name = '', unit = '']) => text(name, unit)),
  ].map(([title = '', body = '']) => ({ title, body: Buffer.from(body) }))
}

/** The same bodies as events and recordings are wrapped, plain and packed. */
export function costlyCapture(token: string, bytes: number): readonly Costly[] {
  const events = (list: string): string => `{"api_key":"${token}","batch":${list}}`
  const recording = (list: string): string =>
    `[{"event":"$snapshot","properties":{"token":"${token}","distinct_id":"a","$session_id":"s","$snapshot_data":${list}}}]`
  const event = (n: string): string => `{"event":"e","distinct_id":"${n}"}`
  const texts: readonly (readonly [string, string])[] = [
    ...costlyJson(bytes),
    ['events, small ones', events(`[${numbered(Math.min(bytes, 600_000), event)}]`)],
    ['events, more than are taken', events(`[${numbered(bytes, event)}]`)],
    ['events, one large', events(`[{"event":"e","distinct_id":"a","properties":{"a":"${'x'.repeat(bytes - 200)}"}}]`)],
    ['persons', events(`[${numbered(2 * MiB, (n) => `{"event":"$identify","distinct_id":"${n}","$set":{"a":1}}`)}]`)],
    ['recordings, small events', recording(listOf('{"type":3,"timestamp":1,"data":{}}', bytes - 300))],
    ['recordings, large events', recording(`[{"type":2,"timestamp":1,"data":"${'x'.repeat(bytes - 300)}"}]`)],
    ['recordings, console', recording(listOf('{"type":6,"timestamp":1,"data":{"payload":{}}}', bytes - 300))],
    ['recordings, dense data', recording(`[{"type":6,"timestamp":1,"data":${listOf('[]', bytes - 300)}}]`)],
    ['base64', Buffer.from('x'.repeat((bytes * 3) / 4 - 3)).toString('base64')],
    ['a form', `data=${'%7B'.repeat((bytes - 10) / 3)}`],
    ['a form of fields', 'a=1&'.repeat(bytes / 4 - 1)],
  ]
  return texts.flatMap(([title, text]) => [
    { title, body: Buffer.from(text) },
    { title: `${title}, gzip`, body: gzipSync(text) },
  ])
}

/** Bodies in the other forms that REST takes. */
export function costlyForms(bytes: number): readonly Costly[] {
  const csv = { 'content-type': 'text/csv' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  return [
    { title: 'CSV of empty fields', headers: csv, body: Buffer.from(`a,b\n${',\n'.repeat(bytes / 2 - 3)}`) },
    { title: 'CSV of quotes', headers: csv, body: Buffer.from(`a\n${'""""\n'.repeat(bytes / 5 - 2)}`) },
    { title: 'CSV of many names', headers: csv, body: Buffer.from(`${'n,'.repeat(bytes / 2 - 2)}n`) },
    {
      title: 'CSV with a long name',
      headers: csv,
      body: Buffer.from(`${'n'.repeat(bytes / 2)}\n${'1\n'.repeat(bytes / 4)}`),
    },
    { title: 'a form of fields', headers: form, body: Buffer.from('a=1&'.repeat(bytes / 4 - 1)) },
    { title: 'a form of escapes', headers: form, body: Buffer.from(`a=${'%41'.repeat(bytes / 3 - 2)}`) },
    { title: 'a form of broken escapes', headers: form, body: Buffer.from(`a=${'%zz'.repeat(bytes / 3 - 2)}`) },
    { title: 'octets', headers: { 'content-type': 'application/octet-stream' }, body: Buffer.alloc(bytes - 1) },
    { title: 'text', headers: { 'content-type': 'text/plain' }, body: Buffer.from('x'.repeat(bytes - 1)) },
  ]
}

/** Nearly what fits into a request's head by default, 64 KiB. */
const head = 60_000
const fill = (unit: string): string => unit.repeat(Math.floor(head / unit.length))
const deep = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels)

/** Addresses that are dear to read, plan or write. */
export const costlyQueries: readonly Costly[] = [
  ['select nested', `select=${deep('bench_books(', '*', ')', 4500)}`],
  ['select nested, as deep as allowed', `select=${deep('bench_books(bench_authors(', '*', '))', 50)}`],
  ['select of embeds beside one another', `select=${fill('bench_chapters(id),')}id`],
  ['select of columns', `select=${fill('id,')}id`],
  ['select without an end', `select=${fill('a(')}`],
  ['select with spaces', `select=${fill('+')}id`],
  ['select of aliases', `select=${fill('a:a:')}id`],
  ['select of quotes', `select="${fill('\\"')}`],
  ['select of paths', `select=id${fill('-%3Ea')}`],
  ['select of dashes', `select=${fill('a-')}`],
  ['select of spreads', `select=${fill('...a(')}`],
  ['logic nested', `and=${deep('(and', '(id.eq.1)', ')', 9000)}`],
  ['logic nested, as deep as allowed', `or=${deep('(or', '(id.eq.1)', ')', 90)}`],
  ['logic of conditions', `or=(${fill('id.eq.1,')}id.eq.2)`],
  ['logic of negations', `and=(${fill('not.')}id.eq.1)`],
  ['logic without an end', `and=${fill('(or')}`],
  ['a list', `id=in.(${fill('1,')}1)`],
  ['a list of quotes', `name=in.(${fill('"",')}"")`],
  ['a list without an end', `name=in.(${fill('"\\')}`],
  ['order', `order=${fill('id.asc.nullslast,')}id`],
  ['order of relations', `order=${fill('bench_books(id),')}id`],
  ['filters', fill('id=eq.1&')],
  ['filters of embeds', `${fill('a.')}id=eq.1`],
  ['a pattern', `name=like.${fill('*a')}`],
  ['a regular expression', `name=match.${fill('(a*)*')}b`],
  ['a text search', `name=wfts.${fill('"a')}`],
  ['columns', `columns=${fill('a,')}a`],
  ['on_conflict', `on_conflict=${fill('a,')}a`],
  ['limits', fill('a.limit=1&')],
  ['escapes', `id=eq.${fill('%41')}`],
  ['broken escapes', `id=eq.${fill('%zz')}`],
  ['names', `${fill('%22')}=eq.1`],
].map(([title = '', query = '']) => ({ title, query }))

/** Headers that regular expressions and splitting could take long over. */
export const costlyHeaders: readonly Costly[] = [
  ['cookie', `${fill('a=b;')}`],
  ['cookie', `ph_x_posthog=${encodeURIComponent('['.repeat(head / 3))}`],
  ['cookie', `ph_x_posthog=${fill('%')}`],
  ['cookie', `="${fill('"')}`],
  ['user-agent', `Mozilla/5.0 (${fill('a;')}`],
  ['user-agent', `${fill('Version/ Safari ')}`],
  ['user-agent', `${fill('1.')}`],
  ['accept', `${fill('text/html;q=0.1,')}`],
  ['accept', `"${fill('a"')}`],
  ['accept', `application/vnd.pgrst.plan+json;${fill(' ')}`],
  ['accept', `application/vnd.pgrst.plan+json; for="${fill('application/vnd.pgrst.plan+json; for=')}"`],
  ['accept', `a/a;${fill(' ')}q`],
  ['accept-encoding', `${fill('gzip;q=0,')}`],
  ['prefer', `${fill('a=b,')}`],
  ['prefer', `timezone=${fill('a/')}`],
  ['range', `${fill('1')}-`],
  ['content-type', `application/json;${fill(' ')}`],
  ['content-type', `multipart/form-data; boundary=${fill('-')}`],
  ['authorization', `Bearer ${fill('.')}`],
  ['authorization', `Bearer ${Buffer.from('['.repeat(head * 0.7)).toString('base64url')}.e30.x`],
  ['authorization', `Bearer${fill(' ')}x`],
  ['traceparent', `00-${fill('0')}`],
  ['baggage', `${fill('a=b,')}`],
  ['x-forwarded-for', `${fill('1.2.3.4,')}`],
  ['x-posthog-session-id', `${fill('0-')}`],
  ['redirect_to', `http://${fill('a.')}`],
  ['referer', `http://${fill('%')}`],
  ['origin', `http://${fill('a.')}`],
  ['if-none-match', `${fill('"a",')}`],
].map(([name = '', value = '']) => ({ title: `${name}: ${value.slice(0, 24)}…`, headers: { [name]: value } }))
