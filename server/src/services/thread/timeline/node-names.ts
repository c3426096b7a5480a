import { isObject } from '../../../ground/json/object.ts'
import type { RecordedMessage } from '../../../ground/model/recording.ts'
import { largestPageBytes, parsePage, unzip } from './unpack.ts'

/** What the elements clicked and typed into are called, by `nodeNameKey`. */
export type NodeNames = ReadonlyMap<string, string>

/** The place of a click or a keystroke in a recording. */
export const nodeNameKey = (windowId: string, clientMs: number, nodeId: number): string =>
  `${windowId} ${clientMs} ${nodeId}`

/** Reads the recorded pages as far as is needed to name what was clicked and typed into. */
export interface NodeNameReader {
  /** @param length of the message's text: what it comes to where it is not packed */
  read(message: RecordedMessage, length: number): void
  names(): NodeNames
}

interface PageNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, unknown>>
  text: string
  parentId: number | null
  readonly childIds: number[]
}

type Page = Map<number, PageNode>

const elementType = 2
const textType = 3
const longestName = 80
/** Among more siblings no place is looked for: each search would go through all of them. */
const mostOrdered = 1000
/** Ancestors looked at for the button around an icon. */
const reach = 4
const spoken = ['aria-label', 'title', 'alt', 'placeholder', 'name', 'id']
const clickable = new Set(['a', 'button', 'label', 'summary', 'option'])

/**
 * A reader for messages ordered by window and time. Pages cost time, so it stops after `budgetBytes` of messages and of
 * what is packed in them; clicks from there on stay without a name.
 */
export function createNodeNameReader(budgetBytes: number): NodeNameReader {
  const names = new Map<string, string>()
  let windowNow: string | null = null
  let page: Page = new Map()
  let left = budgetBytes

  const unpack = (packed: unknown): unknown => {
    if (typeof packed !== 'string') return packed
    const json = unzip(packed, Math.min(left, largestPageBytes))
    left -= json?.length ?? left
    return json === null ? null : parsePage(json)
  }

  function apply(event: unknown, windowId: string): void {
    if (!isObject(event)) return
    if (event.type === 2) {
      page = new Map()
      const data = unpack(event.data)
      if (isObject(data)) addNode(page, data.node, null, null)
    } else if (event.type === 3 && isObject(event.data)) {
      const { data } = event
      if (data.source === 0) mutate(page, data, unpack)
      else if ((data.source === 2 && data.type === 2) || data.source === 5) {
        const name = nameOf(page, Number(data.id))
        if (name !== null) names.set(nodeNameKey(windowId, Number(event.timestamp), Number(data.id)), name)
      }
    }
  }

  return {
    read({ windowId, events }, length) {
      left -= length
      if (windowId !== windowNow) page = new Map()
      windowNow = windowId
      for (const event of events) if (left > 0) apply(event, windowId)
    },
    names: () => names,
  }
}

const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

function mutate(page: Page, data: Readonly<Record<string, unknown>>, unpack: (packed: unknown) => unknown): void {
  for (const { id } of records(unpack(data.removes))) removeNode(page, Number(id))
  for (const { node, parentId, nextId } of records(unpack(data.adds)))
    addNode(page, node, Number(parentId), typeof nextId === 'number' ? nextId : null)
  for (const { id, value } of records(unpack(data.texts))) {
    const known = page.get(Number(id))
    if (known !== undefined) known.text = String(value ?? '')
  }
}

function addNode(page: Page, raw: unknown, parentId: number | null, nextId: number | null): void {
  if (!isObject(raw) || typeof raw.id !== 'number') return
  const { id } = raw
  const siblings = parentId === null ? undefined : page.get(parentId)?.childIds
  if (siblings !== undefined) {
    const before = nextId === null || siblings.length > mostOrdered ? -1 : siblings.indexOf(nextId)
    siblings.splice(before === -1 ? siblings.length : before, 0, id)
  }
  page.set(id, {
    tag: raw.type === elementType ? String(raw.tagName) : '',
    attributes: isObject(raw.attributes) ? raw.attributes : {},
    text: raw.type === textType ? String(raw.textContent ?? '') : '',
    parentId,
    childIds: [],
  })
  for (const child of records(raw.childNodes)) addNode(page, child, id, null)
}

function removeNode(page: Page, id: number): void {
  const node = page.get(id)
  if (node === undefined) return
  page.delete(id)
  for (const child of node.childIds) removeNode(page, child)
  const siblings = node.parentId === null ? undefined : page.get(node.parentId)?.childIds
  const at = siblings?.indexOf(id) ?? -1
  if (at !== -1) siblings?.splice(at, 1)
}

/** The text of the button or link around a node, else the node's own where it is short, else what it is labelled with. */
function nameOf(page: Page, id: number): string | null {
  const candidates: PageNode[] = []
  for (let at: number | null = id; at !== null && candidates.length < reach; ) {
    const node: PageNode | undefined = page.get(at)
    if (node === undefined) break
    candidates.push(node)
    if (clickable.has(node.tag) || node.attributes.role === 'button') break
    at = node.parentId
  }
  const last = candidates.at(-1)
  const own = candidates[0]
  const whole = last !== undefined && (clickable.has(last.tag) || last.attributes.role === 'button') ? last : own
  if (whole === undefined || own === undefined) return null
  const labelled = tidy(whole.attributes['aria-label'])
  if (labelled !== null) return labelled
  for (const node of new Set([whole, own])) {
    const text = tidy(textOf(page, node))
    if (text !== null) return text
    for (const attribute of spoken) {
      const label = tidy(node.attributes[attribute])
      if (label !== null) return label
    }
  }
  return null
}

/** Reads on until there is more than a name could hold. */
function textOf(page: Page, node: PageNode): string {
  let text = node.text
  for (const id of node.childIds) {
    if (text.length > longestName * 2) break
    const child = page.get(id)
    if (child !== undefined && child.tag !== 'script' && child.tag !== 'style') text += ` ${textOf(page, child)}`
  }
  return text
}

function tidy(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replace(/\s+/g, ' ').trim()
  // A long text is of a region, not of a thing; stars are a masked one.
  return text === '' || text.length > longestName || /^[*\s]+$/.test(text) ? null : text
}
