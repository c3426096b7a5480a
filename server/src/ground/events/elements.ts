/** One element of an autocaptured event's chain. */
export interface ChainElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Reads `$elements_chain`: elements innermost first, parted by `;`, each `tag.class.class:` and `key="value"` pairs
 * without a separator, `"` in values escaped.
 *
 * @see posthog-js `extensions/autocapture-utils.ts`, `getElementsChainString`
 */
export function parseElementsChain(chain: string): readonly ChainElement[] {
  return splitOutsideQuotes(chain).map((part) => {
    const colon = part.indexOf(':')
    const head = colon === -1 ? part : part.slice(0, colon)
    const attributes: Record<string, string> = {}
    for (const [, key = '', value = ''] of part.slice(head.length + 1).matchAll(/([^="]+)="((?:\\.|[^"\\])*)"/g))
      attributes[key] = value.replaceAll('\\"', '"')
    return { tag: head.split('.')[0] ?? '', attributes }
  })
}

function splitOutsideQuotes(chain: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < chain.length; at += 1) {
    const letter = chain[at]
    if (letter === '\\') at += 1
    else if (letter === '"') quoted = !quoted
    else if (letter === ';' && !quoted) {
      parts.push(chain.slice(start, at))
      start = at + 1
    }
  }
  parts.push(chain.slice(start))
  return parts.filter((part) => part !== '')
}

const spokenAttributes = ['attr__aria-label', 'attr__title', 'attr__alt', 'attr__placeholder', 'attr__name', 'attr_id']
const clickable = new Set(['a', 'button', 'label', 'summary', 'option', 'select', 'input', 'textarea'])

/**
 * What a person would call the element that an autocaptured event is about: what its button or link is labelled for
 * screen readers, else its text, else the text or the name of the button or link around it. Null when it has none.
 */
export function elementLabel(properties: Readonly<Record<string, unknown>>, elementsChain: string): string | null {
  const elements = elementsOf(properties, elementsChain)
  const reach = elements.findIndex(({ tag, attributes }) => clickable.has(tag) || attributes.attr__role === 'button')
  const spoken = tidy(elements[reach]?.attributes['attr__aria-label'])
  if (spoken !== null) return spoken
  const own = tidy(properties.$el_text)
  if (own !== null) return own
  const candidates = elements.slice(0, reach === -1 ? 1 : reach + 1)
  for (const { attributes } of candidates) {
    const text = tidy(attributes.text)
    if (text !== null) return text
  }
  for (const { attributes } of candidates)
    for (const name of spokenAttributes) {
      const text = tidy(attributes[name])
      if (text !== null) return text
    }
  return null
}

/** Older clients send `$elements`, an array of objects, in place of the chain. */
function elementsOf(properties: Readonly<Record<string, unknown>>, elementsChain: string): readonly ChainElement[] {
  const chain = elementsChain !== '' ? elementsChain : properties.$elements_chain
  if (typeof chain === 'string' && chain !== '') return parseElementsChain(chain)
  if (!Array.isArray(properties.$elements)) return []
  return properties.$elements.map((raw: unknown) => {
    const fields: Record<string, string> = {}
    for (const [name, value] of Object.entries(typeof raw === 'object' && raw !== null ? raw : {}))
      if (typeof value === 'string') fields[name === '$el_text' ? 'text' : name] = value
    return { tag: fields.tag_name ?? '', attributes: fields }
  })
}

function tidy(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replace(/\s+/g, ' ').trim()
  if (text === '') return null
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
