import { eventType, isObject, type RecordedEvent } from './recording.ts'

/**
 * Readies events for a page that is not the one they were recorded in.
 *
 * What a recording may fetch is decided by the console's Content-Security-Policy, which its frames inherit: texts that
 * anybody can write are not searched for addresses here. Two things a policy cannot do are done: addresses that a script
 * wrote into styles are relative to the recorded page (the recorder resolves the others); hints for the network are left
 * out, since looking up a host's name or connecting to it is no fetch, and so are pages in frames.
 *
 * @param href where the recorded page was
 */
export function fitEvent(event: RecordedEvent, href: string | null): RecordedEvent {
  if (event.type !== eventType.fullSnapshot && event.type !== eventType.incremental) return event
  return { ...event, data: fit(event.data, '', href) }
}

/** The address that a window's page had before the event of that index; null when none was recorded. */
export function pageBefore(events: readonly RecordedEvent[], index: number): string | null {
  for (let at = index - 1; at >= 0; at -= 1) {
    const event = events[at]
    if (event?.type !== eventType.meta || !isObject(event.data)) continue
    const { href } = event.data
    return typeof href === 'string' && URL.canParse(href) ? href : null
  }
  return null
}

/** Fields that hold CSS: attributes, and what rrweb calls the changes of a style sheet. */
const styling: ReadonlySet<string> = new Set(['style', 'set', '_cssText', 'cssText', 'rule', 'replace', 'replaceSync'])

/** Walks every field of the event, so that fields added by a later rrweb are covered too. */
function fit(value: unknown, name: string, href: string | null): unknown {
  if (typeof value === 'string') return styling.has(name) && href !== null ? resolveUrls(value, href) : value
  // An element's style as it was changed: property names with texts, or with text and priority.
  if (Array.isArray(value)) return value.map((item) => fit(item, name, href))
  if (!isObject(value)) return value
  const fitted: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (name === 'attributes' && isLeftOut(key, item)) continue
    if (key === 'attributes' && framesPages(value) && isObject(item)) {
      fitted[key] = fit(withoutAddress(item), key, href)
      continue
    }
    const holdsCss = styling.has(name) || (key === 'textContent' && value.isStyle === true)
    fitted[key] = fit(item, holdsCss ? 'cssText' : key, href)
  }
  return fitted
}

/** What a recorded page links for its look. Every other relation of a `link` is at best a hint for the network. */
const looks: ReadonlySet<string> = new Set(['stylesheet', 'alternate', 'icon'])

function isLeftOut(attribute: string, value: unknown): boolean {
  const name = attribute.toLowerCase()
  // A frame's page is recorded as elements; text that a browser would parse could bring a script.
  if (name === 'srcdoc') return true
  // A page may ask by it that the names of all its links are looked up.
  if (name === 'http-equiv') return true
  return (
    name === 'rel' &&
    typeof value === 'string' &&
    value
      .toLowerCase()
      .split(/\s+/)
      .some((word) => !looks.has(word))
  )
}

/** Elements that show another page. None is loaded: what was in it is recorded, or belongs to another origin. */
const framesPages = ({ tagName }: Readonly<Record<string, unknown>>): boolean =>
  typeof tagName === 'string' && ['iframe', 'frame', 'object', 'embed'].includes(tagName.toLowerCase())

const withoutAddress = (attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !['src', 'data'].includes(name.toLowerCase())))

/** CSS with its relative addresses made absolute; those within the page (`#gradient`) stay. */
export const resolveUrls = (css: string, href: string): string =>
  css.replace(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]+))\s*\)/gi, (call, double, single, bare) => {
    const url: string = double ?? single ?? bare ?? ''
    return url === '' || url.startsWith('#') || URL.canParse(url) || !URL.canParse(url, href)
      ? call
      : `url("${new URL(url, href).href}")`
  })
