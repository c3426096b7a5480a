import { setImmediate as turn } from 'node:timers/promises'
import { s3Error } from '../errors.ts'

/** An element of a document: its name without namespace prefix, its text, and the elements in it. Attributes are left out. */
export interface Element {
  readonly name: string
  readonly text: string
  readonly children: readonly Element[]
}

interface OpenElement {
  readonly name: string
  text: string
  readonly children: Element[]
}

const deepest = 16
/** Ten thousand parts of a multipart upload, each with several checksums. */
export const longestDocumentBytes = 4 * 1024 * 1024

/** Ten thousand parts, each with its number, tag and checksums. */
const mostElements = 100_000
/** A key of 1,024 characters, each written as an entity. */
const longestText = 16_384
/** As many as are read in a millisecond or two. */
const tokensPerTurn = 1000

// The lengths within a tag are bounded: it is read in one step, however long its attributes are.
const token =
  /<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\?.*?\?>|<(\/?)([A-Za-z_][\w.:-]{0,99})(?:\s{1,99}[\w.:-]{1,99}\s{0,9}=\s{0,9}(?:"[^"<]{0,999}"|'[^'<]{0,999}')){0,20}\s{0,99}(\/?)>|([^<]+)/sy

/**
 * Reads the XML of a request: elements and text. Document types are refused, and with them entities of their own. A parser
 * of all XML takes fifteen times as long for 10,000 parts; this one lets others have their turn meanwhile.
 *
 * @returns the root
 * @throws MalformedXML, also for more elements, or longer texts, than a request has
 */
export async function parseXml(document: string): Promise<Element> {
  const top: OpenElement = { name: '', text: '', children: [] }
  const open: OpenElement[] = [top]
  let elements = 0
  for (let at = 0, tokens = 1; at < document.length; tokens += 1) {
    if (tokens % tokensPerTurn === 0) await turn()
    // Another document may have been read meanwhile.
    token.lastIndex = at
    const parts = token.exec(document)
    if (parts === null) throw s3Error('MalformedXML')
    at = token.lastIndex
    const [, cdata, slash, name, selfClosing, text = cdata] = parts
    const current = open.at(-1) ?? top
    if (text !== undefined) {
      if (text.length > longestText) throw s3Error('MalformedXML')
      current.text += cdata ?? decodeText(text)
    }
    if (name !== undefined && slash === '/') {
      const closed = open.pop()
      if (closed === undefined || closed === top || closed.name !== localName(name)) throw s3Error('MalformedXML')
    } else if (name !== undefined) {
      const element: OpenElement = { name: localName(name), text: '', children: [] }
      current.children.push(element)
      if (selfClosing !== '/') open.push(element)
      elements += 1
      if (open.length > deepest || elements > mostElements) throw s3Error('MalformedXML')
    }
  }
  const [root, ...more] = top.children
  if (root === undefined || more.length > 0 || open.length > 1 || top.text.trim().replace('\uFEFF', '') !== '')
    throw s3Error('MalformedXML')
  return root
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,4}));|&/g, (_all, hex, decimal, name) => {
    const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : null
    if (code !== null && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    const character = name === undefined ? undefined : entities[name]
    if (character === undefined) throw s3Error('MalformedXML')
    return character
  })
}

/** The elements of a name. */
export const childrenOf = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name)

/** The text of the first element of a name; undefined where there is none. */
export const textOf = (element: Element, name: string): string | undefined => childrenOf(element, name)[0]?.text
