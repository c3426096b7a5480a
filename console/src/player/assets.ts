import { eventType, isObject, type RecordedEvent } from './recording.ts'

/**
 * Decides which remote files a played page may load.
 *
 * A recording is written by whoever knows the application's public key, and is watched by an operator. Scripts never run
 * (the frame is sandboxed without them). Pictures, fonts and style sheets are loaded from the origin of the page that
 * was recorded, and from the console's own, which serves the application's files; anything else would tell a third
 * party who is watching, so it is replaced by nothing.
 */
export type AssetRule = (url: string) => boolean

const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** The rule for a recording: its pages' own origins and `consoleOrigin`. */
export function assetRule(events: readonly RecordedEvent[], consoleOrigin: string): AssetRule {
  const origins = new Set([consoleOrigin])
  for (const event of events) {
    if (event.type !== eventType.meta || !isObject(event.data)) continue
    const origin = originOf(event.data.href)
    if (origin !== null) origins.add(origin)
  }
  return (url) => {
    if (/^(data:|blob:|#|about:)/i.test(url.trim())) return true
    const origin = originOf(url, consoleOrigin)
    return origin !== null && origins.has(origin)
  }
}

function originOf(url: unknown, base?: string): string | null {
  if (typeof url !== 'string') return null
  try {
    const { origin, protocol } = new URL(url, base)
    return protocol === 'http:' || protocol === 'https:' ? origin : null
  } catch {
    return null
  }
}

/** Attributes by which an element fetches something of its own accord. */
const fetching: ReadonlySet<string> = new Set([
  'src',
  'srcset',
  'poster',
  'background',
  'data',
  'xlink:href',
  'imagesrcset',
])
/** Attributes and fields that hold CSS. */
const styling: ReadonlySet<string> = new Set([
  'style',
  '_cssText',
  'cssText',
  'rule',
  'replace',
  'replaceSync',
  'fontSource',
])

/**
 * The same event without what may not be loaded.
 *
 * It walks whatever is in the event, not a known shape: a field added by a later rrweb is covered too.
 */
export function guardAssets(event: RecordedEvent, allowed: AssetRule): RecordedEvent {
  if (event.type !== eventType.fullSnapshot && event.type !== eventType.incremental) return event
  return { ...event, data: guard(event.data, '', allowed) }
}

function guard(value: unknown, name: string, allowed: AssetRule): unknown {
  if (typeof value === 'string') return guardText(value, name, allowed)
  if (Array.isArray(value)) return value.map((item) => guard(item, name, allowed))
  if (!isObject(value)) return value
  const guarded: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === 'attributes' && isLink(value) && isObject(item)) guarded[key] = guardLink(item, allowed)
    // Text of a <style>: rrweb marks it so; a text node elsewhere is words, not CSS.
    else if (key === 'textContent' && value.isStyle === true) guarded[key] = guard(item, 'cssText', allowed)
    else guarded[key] = guard(item, key, allowed)
  }
  return guarded
}

function guardText(text: string, name: string, allowed: AssetRule): string {
  if (styling.has(name)) return guardCss(text, allowed)
  if (!fetching.has(name)) return text
  if (name === 'srcset' || name === 'imagesrcset') {
    return text.split(/,\s+/).every((candidate) => allowed(candidate.trim().split(/\s+/)[0] ?? '')) ? text : ''
  }
  return allowed(text) ? text : BLANK
}

function isLink(node: Readonly<Record<string, unknown>>): boolean {
  return typeof node.tagName === 'string' && ['link', 'image', 'use'].includes(node.tagName.toLowerCase())
}

/** `href` fetches on these elements only; on a link that one clicks it is harmless. */
function guardLink(attributes: Readonly<Record<string, unknown>>, allowed: AssetRule): unknown {
  const { href, ...rest } = attributes
  const others = guard(rest, 'attributes', allowed)
  if (typeof href !== 'string' || !allowed(href) || !isObject(others)) return others
  return { ...others, href }
}

/** CSS without `url()` and `@import` of what may not be loaded. */
export function guardCss(css: string, allowed: AssetRule): string {
  return css
    .replace(/@import\s+(?:url\()?\s*(['"]?)([^'")\s;]+)\1\s*\)?[^;]*;/gi, (rule, _quote, url: string) =>
      allowed(url) ? rule : '',
    )
    .replace(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]+))\s*\)/gi, (call, double, single, bare) =>
      allowed(double ?? single ?? bare ?? '') ? call : 'url("about:blank")',
    )
}
