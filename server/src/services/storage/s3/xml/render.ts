/** Text, or elements by their names; a list repeats its element, and undefined leaves it out. */
export type XmlValue = string | number | boolean | undefined | XmlElements | readonly XmlValue[]
export interface XmlElements {
  readonly [name: string]: XmlValue
}

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** A document of S3, its root in S3's namespace. */
export const renderDocument = (root: string, content: XmlValue): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${namespace}">${renderContent(content)}</${root}>`

/** The document of an error, which has no namespace. */
export const renderErrorDocument = (content: XmlElements): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error>${renderContent(content)}</Error>`

function renderElement(name: string, value: XmlValue): string {
  if (value === undefined) return ''
  if (isList(value)) return value.map((each) => renderElement(name, each)).join('')
  return `<${name}>${renderContent(value)}</${name}>`
}

function renderContent(value: XmlValue): string {
  if (value === undefined) return ''
  if (isList(value)) return value.map(renderContent).join('')
  if (typeof value !== 'object') return escapeText(String(value))
  return Object.entries(value)
    .map(([name, child]) => renderElement(name, child))
    .join('')
}

const isList = (value: XmlValue): value is readonly XmlValue[] => Array.isArray(value)

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** XML has no way to write control characters and lone surrogates: they become U+FFFD. */
const escapeText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/gu, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => escaped[character] ?? character)
