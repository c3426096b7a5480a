import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createNodeNameReader, nodeNameKey } from './node-names.ts'

let nextId = 1
const text = (textContent: string) => ({ type: 3, id: nextId++, textContent })
const element = (tagName: string, attributes: object, ...childNodes: object[]) => ({
  type: 2,
  id: nextId++,
  tagName,
  attributes,
  childNodes,
})
const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')

const heading = element('h1', {}, text(' The \n menu '))
const icon = element('svg', {})
const button = element('button', { 'aria-label': 'Remove' }, icon)
const row = element('div', {}, heading, element('p', {}, text('x'.repeat(90))), button)
const masked = element('span', { class: 'ph-mask' }, text('*** ****'))
const page = { type: 0, id: nextId++, childNodes: [element('html', {}, element('body', {}, row, masked))] }

const click = (id: number) => ({ type: 3, timestamp: 100, data: { source: 2, type: 2, id } })
const snapshot = { type: 2, timestamp: 1, cv: '2024-10', data: pack({ node: page, initialOffset: {} }) }

const plainSnapshot = { type: 2, timestamp: 1, data: { node: page, initialOffset: {} } }

const levels = 20_000
const deepPage = gzipSync(
  `{"node":${JSON.stringify(page)},"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`,
).toString('latin1')

function named(events: readonly object[], id: number, budgetBytes = 1_000_000): string | undefined {
  const reader = createNodeNameReader(budgetBytes)
  const message = { windowId: 'w', offsetMs: 0, events: [...events, click(id)] }
  reader.read(message, JSON.stringify(message).length)
  return reader.names().get(nodeNameKey('w', 100, id))
}

test.each([
  ['its own text', heading.id, 'The menu'],
  ['the label of the button around it', icon.id, 'Remove'],
  ['nothing, for a region with a long text', row.id, undefined],
  ['nothing, for a masked text', masked.id, undefined],
  ['nothing, for a node that is not there', 9999, undefined],
])('a clicked node is called by %s', (_, id, name) => {
  expect(named([snapshot], id)).toBe(name)
})

test('a page that is not packed names its nodes', () => {
  expect(named([plainSnapshot], heading.id)).toBe('The menu')
})

test('what was added, retold and removed later counts', () => {
  const added = element('button', {}, text('Pay'))
  const [label] = added.childNodes as { id: number }[]
  const adding = { source: 0, adds: pack([{ parentId: row.id, nextId: null, node: added }]), removes: [], texts: [] }
  const retelling = { source: 0, texts: [{ id: label?.id, value: 'Pay € 10' }] }
  const removing = { source: 0, removes: [{ parentId: row.id, id: added.id }] }
  const mutation = (data: object) => ({ type: 3, timestamp: 50, cv: '2024-10', data })
  expect(named([snapshot, mutation(adding)], added.id)).toBe('Pay')
  expect(named([snapshot, mutation(adding), mutation(retelling)], added.id)).toBe('Pay € 10')
  expect(named([snapshot, mutation(adding), mutation(removing)], added.id)).toBeUndefined()
})

test.each([
  ['broken', { ...snapshot, data: 'not gzip' }, 1_000_000],
  ['larger than allowed', snapshot, 100],
  [
    'larger than allowed, and not packed',
    { ...plainSnapshot, data: { ...plainSnapshot.data, more: 'x'.repeat(999) } },
    999,
  ],
  ['nested deeper than any page', { ...snapshot, data: deepPage }, 1_000_000],
])('a page that is %s names nothing', (_, event, budgetBytes) => {
  expect(named([event], heading.id, budgetBytes)).toBeUndefined()
})
