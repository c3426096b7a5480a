import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createThreads } from '../../../engines/threads/index.ts'
import { rewriteSnapshots } from '../masking/masking.ts'
import { recordings } from './recordings.ts'
import { longestMessage, unpackLine } from './unpack.ts'

const at = 1_700_000_000_000
const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')
const page = { node: { type: 0, id: 1, childNodes: [{ type: 3, id: 2, textContent: 'ü 🚀 "q" \n' }] } }
const meta = { type: 4, data: { href: 'https://shop.test/?a=1', width: 1, height: 1 }, timestamp: at }
const packedPage = { type: 2, data: pack(page), timestamp: at, cv: '2024-10' }
const plainPage = { type: 2, data: page, timestamp: at }
const change = (data: object, more: object = { cv: '2024-10' }) => ({ type: 3, data, timestamp: at, ...more })

/** How events stand in a line: as they were sent, or as a text, where something was unusual. */
const forms: readonly (readonly [form: string, isScanned: boolean])[] = [
  ['as sent', true],
  ['written anew', false],
]

function lineOf(events: readonly object[], isScanned: boolean): Buffer {
  const scanned = isScanned ? recordings.scan(Buffer.from(JSON.stringify(events)), 0, 200) : null
  if (isScanned && scanned === null) throw new Error('The events are unusual.')
  const message = { uuid: 'u', distinctId: 'a,"data":"', sessionId: 's', windowId: 'w', sentAtMs: at }
  const line = recordings.toLine({ ...message, events: scanned ?? events }, { receivedAtMs: at, userAgent: null })
  if (line === null) throw new Error('Nothing is kept.')
  return line
}

function eventsOf(line: Buffer): unknown {
  const { data }: { data: unknown } = JSON.parse(line.toString())
  return typeof data === 'string' ? JSON.parse(data) : data
}

describe.each(forms)('events %s', (_, isScanned) => {
  test.each<[rule: string, sent: object, stored: object]>([
    ['a whole page', packedPage, plainPage],
    [
      'changes of a page, of which some fields may be plain',
      change({ source: 0, texts: pack([]), attributes: [], removes: pack([{ id: 2 }]), adds: pack([page]) }),
      change({ source: 0, texts: [], attributes: [], removes: [{ id: 2 }], adds: [page] }, {}),
    ],
    [
      'rules of a style sheet, added or removed',
      change({ source: 8, id: 3, adds: pack([{ rule: 'a{}' }]) }),
      change({ source: 8, id: 3, adds: [{ rule: 'a{}' }] }, {}),
    ],
  ])('%s is unpacked between others', (_rule, sent, stored) => {
    const line = lineOf([meta, sent, meta], isScanned)
    const plain = unpackLine(line, longestMessage)
    expect(eventsOf(plain)).toEqual([meta, stored, meta])
    // What a list shows of the message stays as it is.
    const { data: _before, ...head } = JSON.parse(line.toString())
    expect(JSON.parse(plain.toString())).toMatchObject(head)
    // A second time there is nothing to do.
    expect(unpackLine(plain, longestMessage)).toBe(plain)
  })

  test.each<[rule: string, event: object]>([
    ['what is no gzip', { ...packedPage, data: 'no gzip' }],
    ['gzip of what is no JSON', { ...packedPage, data: gzipSync('{"a":').toString('latin1') }],
    ['a damaged field among others', change({ source: 0, texts: 'no gzip', adds: pack([]) })],
    ['a packing of later days', { ...packedPage, cv: '2031-01' }],
    [
      'a page deeper than any',
      { ...packedPage, data: gzipSync('['.repeat(5000) + ']'.repeat(5000)).toString('latin1') },
    ],
    ['a page of too many values', { ...packedPage, data: pack(Array(300_000).fill(0)) }],
    ['a bomb', { ...packedPage, data: gzipSync(Buffer.alloc(longestMessage + 1, 0x20)).toString('latin1') }],
  ])('%s stays as it is, and those beside it are unpacked', (_rule, event) => {
    const events = eventsOf(unpackLine(lineOf([event, packedPage], isScanned), longestMessage))
    expect(events).toEqual([event, plainPage])
  })
})

test('the bytes of what is not packed stay as they were sent', () => {
  const odd = `{"type":4,  "data":{"href":"https:\\/\\/a.test\\u002f", "width":1.0},"timestamp":${at}}`
  const sent = `[${odd},${JSON.stringify(packedPage)},${odd}]`
  const scanned = recordings.scan(Buffer.from(sent), 0, 200)
  if (scanned === null) throw new Error('The events are unusual.')
  const message = { uuid: 'u', distinctId: 'a', sessionId: 's', windowId: 'w', sentAtMs: at, events: scanned }
  const line = recordings.toLine(message, { receivedAtMs: at, userAgent: null }) ?? Buffer.alloc(0)
  const text = unpackLine(line, longestMessage).toString()
  expect(text.slice(text.indexOf('"data":[') + 7, -1)).toBe(`[${odd},${JSON.stringify(plainPage)},${odd}]`)
})

test('what is masked is found in a page once it is unpacked', () => {
  const link = { node: { tagName: 'a', attributes: { href: 'https://shop.test/?email=ada@secret.test' } } }
  const mask = rewriteSnapshots({ columns: [], properties: ['email'] })
  const masked = mask?.(unpackLine(lineOf([{ ...packedPage, data: pack(link) }], true), longestMessage).toString())
  expect(masked).toContain('https://shop.test/?email=')
  expect(masked).not.toContain('ada@secret.test')
})

test('halves of surrogate pairs, which no engine stores, are replaced', () => {
  const halved = { ...packedPage, data: gzipSync('{"text":"\\ud800 \\ud83d\\ude80"}').toString('latin1') }
  const text = unpackLine(lineOf([halved], true), longestMessage).toString()
  expect(text).not.toContain('\\ud')
  expect(eventsOf(Buffer.from(text))).toEqual([{ ...plainPage, data: { text: '\ufffd 🚀' } }])
})

test('a batch is unpacked in a thread, line by line, and one without anything packed is not touched', async () => {
  const threads = createThreads()
  try {
    const plain = [lineOf([meta], true)]
    expect(await recordings.unpack(threads, plain)).toBe(plain)
    const lines = [lineOf([packedPage], true), lineOf([meta], true), lineOf([packedPage], false)]
    const [first, ...others] = lines
    const blocks = [first ?? Buffer.alloc(0), Buffer.from(others.map(String).join('\n'))]
    const unpacked = Buffer.concat(await recordings.unpack(threads, blocks)).toString()
    const expected = lines.map((line) => unpackLine(line, longestMessage).toString())
    expect(unpacked.split('\n')).toEqual(expected)
    expect(expected.join()).not.toContain('2024-10')
  } finally {
    await threads.close()
  }
})

test('everything that an unchanged posthog-js recorded is unpacked', () => {
  const file = new URL('../../../../test/fixtures/recordings/order-form.json', import.meta.url)
  const posts: { body: unknown }[] = JSON.parse(readFileSync(file, 'utf8'))
  const lists: { type: number; cv?: string; data: unknown }[][] = posts.flatMap(({ body }) =>
    Array.isArray(body) ? body.map((message) => message.properties.$snapshot_data) : [],
  )
  const packed = lists.flat().filter(({ cv }) => cv !== undefined)
  expect(packed.map(({ type }) => type).toSorted()).toEqual([2, 2, 3])
  for (const list of lists) {
    const events = eventsOf(unpackLine(lineOf(list, true), longestMessage)) as typeof list
    expect(events.map(({ type }) => type)).toEqual(list.map(({ type }) => type))
    expect(events.filter(({ cv }) => cv !== undefined)).toEqual([])
    for (const [index, { type, data }] of list.entries())
      if (type === 2)
        expect(events[index]?.data).toEqual(JSON.parse(gunzipSync(Buffer.from(String(data), 'latin1')).toString()))
  }
})
