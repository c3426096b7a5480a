import { expect, test } from 'vitest'
import { createPage } from './page.ts'

const text = (id: number, textContent: string) => ({ type: 3, id, textContent })
const element = (id: number, tagName: string, ...childNodes: object[]) => ({
  ...{ type: 2, id, tagName, attributes: {} },
  childNodes,
})
const pageOf = (...body: object[]) =>
  createPage({
    node: { type: 0, id: 1, childNodes: [element(2, 'body', ...body)] },
    initialOffset: { top: 3, left: 0 },
  })

interface Node {
  readonly tagName?: string
  readonly textContent?: string
  readonly attributes?: object
  readonly childNodes?: readonly Node[]
}

/** A tree as HTML, roughly. */
const html = ({ tagName = '#', textContent, attributes = {}, childNodes = [] }: Node): string =>
  textContent ??
  `<${[tagName, ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`)].join(' ')}>${childNodes.map(html).join('')}</>`
const shown = (page: ReturnType<typeof createPage>): string => {
  const root = page?.snapshot().node as Node | undefined
  return (root?.childNodes ?? []).map(html).join('')
}

const none = { texts: [], attributes: [], removes: [], adds: [] }

test('nodes are added before their neighbours, in whatever order they are told', () => {
  const page = pageOf(element(3, 'p'))
  page?.mutate({
    ...none,
    adds: [
      { parentId: 2, nextId: 5, node: text(4, 'a') },
      { parentId: 6, nextId: null, node: text(7, 'in') },
      { parentId: 2, nextId: 3, node: text(5, 'b') },
      { parentId: 2, nextId: null, node: element(6, 'i') },
      { parentId: 2, nextId: 99, node: text(8, 'end') },
      { parentId: 98, nextId: null, node: text(9, 'nowhere') },
    ],
  })
  expect(shown(page)).toBe('<body>ab<p></><i>in</>end</>')
  expect([page?.has(7), page?.has(9)]).toEqual([true, false])
})

test('nodes are removed with what is in them, moved, and told twice stand once', () => {
  const page = pageOf(element(3, 'p', text(4, 'gone')), element(5, 'b', text(6, 'stays')), element(7, 'i'))
  page?.mutate({
    ...none,
    removes: [
      { parentId: 2, id: 3 },
      { parentId: 2, id: 5 },
    ],
    adds: [
      { parentId: 7, nextId: null, node: element(5, 'b', text(6, 'moved')) },
      { parentId: 7, nextId: null, node: element(5, 'b', text(6, 'moved')) },
    ],
  })
  expect(shown(page)).toBe('<body><i><b>moved</></></>')
  expect(page?.has(4)).toBe(false)
})

test('texts and attributes change; parts of a style are handed back, as they build on what is there', () => {
  const page = pageOf(element(3, 'p', text(4, 'old')))
  expect(
    page?.mutate({
      ...none,
      texts: [
        { id: 4, value: 'new' },
        { id: 99, value: 'x' },
      ],
    }),
  ).toBeNull()
  expect(page?.mutate({ ...none, attributes: [{ id: 3, attributes: { class: 'a', hidden: '' } }] })).toBeNull()
  const style = { color: 'red', top: false }
  expect(page?.mutate({ ...none, attributes: [{ id: 3, attributes: { hidden: null, style } }] })).toEqual({
    ...{ ...none, source: 0 },
    attributes: [{ id: 3, attributes: { style } }],
  })
  expect(shown(page)).toBe('<body><p class=a>new</></>')
  expect(page?.snapshot().initialOffset).toEqual({ top: 3, left: 0 })
})

test('what is no full snapshot is no page', () => {
  expect([createPage('text'), createPage({}), createPage(null)]).toEqual([null, null, null])
})
