import { DOMParser, type Element } from '@xmldom/xmldom'

export type { Element } from '@xmldom/xmldom'

/** The namespaces of SAML 2.0 and of XML signatures. */
export const namespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/**
 * Reads a document. One with a type declaration is rejected whatever it declares: that is where entities come from.
 *
 * @throws Error when it is not well-formed
 */
export function parseXml(text: string): Element {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw new Error('The document has a type declaration.')
  const onError = (level: string, message: string): void => {
    if (level !== 'warning') throw new Error(`The document is not well-formed: ${message.slice(0, 200)}`)
  }
  const root = new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement
  if (root === null) throw new Error('The document is empty.')
  return root
}

/** The children of an element that have this name. */
export function childrenNamed(parent: Element, namespace: string, name: string): readonly Element[] {
  return Array.from(parent.childNodes).filter(
    (node): node is Element =>
      node.nodeType === 1 && (node as Element).namespaceURI === namespace && (node as Element).localName === name,
  )
}

/** Every element of this name, at any depth. */
export const allNamed = (root: Element, namespace: string, name: string): readonly Element[] =>
  Array.from(root.getElementsByTagNameNS(namespace, name))

/** An attribute; null where it is absent or empty. */
export const attributeOf = (element: Element | undefined, name: string): string | null =>
  element?.getAttribute(name) || null

/** The text of an element, without the white space around it. */
export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''

/** An `xs:dateTime` attribute; null where it is absent. @throws Error when it is something else */
export function instantOf(element: Element | undefined, name: string): Date | null {
  const text = attributeOf(element, name)
  if (text === null) return null
  // SAML Core §1.3.3: always in UTC.
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? text : Number.NaN)
  if (Number.isNaN(date.getTime())) throw new Error(`${name} is no instant in UTC.`)
  return date
}

/** Text as it may stand in an element or between the quotes of an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
