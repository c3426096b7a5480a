import { escapeHtml } from '../../../../ground/text/escape-html.ts'
import { percentEncode } from '../percent.ts'

/** Knows where in a document a value would stand, from the template's own text before it. */
export interface Escaper {
  /** Takes note of a piece of the template. */
  follow(text: string): void
  /** Makes a value harmless where it would stand now. */
  escape(value: string): string
}

/** For what is no HTML. */
export const plainEscaper: Escaper = { follow: () => undefined, escape: (value) => value }

/** The replacement of a value that could do harm, as Go's templates have it. */
const failsafe = 'ZgotmplZ'

type Place =
  | { readonly in: 'text' }
  | { readonly in: 'comment' }
  /** Between `<style>` or `<script>` and its end. */
  | { readonly in: 'raw'; readonly element: string }
  /** Inside a tag, outside its attributes' values. */
  | { readonly in: 'tag'; readonly element: string; readonly attribute: string }
  | { readonly in: 'value'; readonly element: string; readonly attribute: string; readonly quote: string; said: string }

const urlAttributes = new Set(['href', 'src', 'action', 'background', 'cite', 'formaction', 'poster', 'srcset'])
const rawElements = new Set(['script', 'style', 'title', 'textarea'])

/**
 * Escapes by place, as Go's `html/template` does: entities in text and attributes; in addresses only http, https, mailto and
 * tel, and percent-encoding once a `?` or `#` was said; nothing at all in scripts, handlers, and outside quotes.
 *
 * @see https://pkg.go.dev/html/template#hdr-Contexts
 */
export function createEscaper(): Escaper {
  let place: Place = { in: 'text' }
  return {
    follow(text) {
      let rest = text
      while (rest !== '') {
        const step = advance(place, rest)
        place = step.place
        rest = step.rest
      }
    },
    escape: (value) => escapeAt(place, value),
  }
}

interface Step {
  readonly place: Place
  readonly rest: string
}

function advance(place: Place, text: string): Step {
  switch (place.in) {
    case 'text': {
      const match = /<!--|<\/?([a-z][^\s/>]*)/i.exec(text)
      if (match === null) return { place, rest: '' }
      const rest = text.slice(match.index + match[0].length)
      if (match[0] === '<!--') return { place: { in: 'comment' }, rest }
      const element = match[0].startsWith('</') ? '' : (match[1] ?? '').toLowerCase()
      return { place: { in: 'tag', element, attribute: '' }, rest }
    }
    case 'comment':
      return until(place, text, /-->/, { in: 'text' })
    case 'raw':
      return until(place, text, new RegExp(`</${place.element}[^>]*>`, 'i'), { in: 'text' })
    case 'tag':
      return advanceInTag(place, text)
    default:
      return advanceInValue(place, text)
  }
}

function until(place: Place, text: string, end: RegExp, next: Place): Step {
  const match = end.exec(text)
  return match === null ? { place, rest: '' } : { place: next, rest: text.slice(match.index + match[0].length) }
}

function advanceInTag(place: Extract<Place, { in: 'tag' }>, text: string): Step {
  const { element } = place
  const match = /^(?:(>)|=\s*(["'])|=\s*(?=[^\s"'>])|([^\s=>"']+)|[\s\S])/.exec(text)
  const rest = text.slice(match?.[0].length ?? text.length)
  if (match?.[1] !== undefined)
    return { place: rawElements.has(element) ? { in: 'raw', element } : { in: 'text' }, rest }
  if (match?.[0].startsWith('=') === true)
    return { place: { in: 'value', element, attribute: place.attribute, quote: match[2] ?? '', said: '' }, rest }
  const attribute = match?.[3]?.toLowerCase()
  return { place: attribute === undefined ? place : { ...place, attribute }, rest }
}

function advanceInValue(place: Extract<Place, { in: 'value' }>, text: string): Step {
  const { element, quote } = place
  const end = quote === '' ? text.search(/[\s>]/) : text.indexOf(quote)
  if (end === -1) return { place: { ...place, said: place.said + text }, rest: '' }
  return { place: { in: 'tag', element, attribute: '' }, rest: text.slice(end + quote.length) }
}

function escapeAt(place: Place, value: string): string {
  if (place.in === 'text') return escapeHtml(value)
  if (place.in === 'comment') return ''
  if (place.in === 'raw')
    return place.element === 'title' || place.element === 'textarea' ? escapeHtml(value) : failsafe
  if (place.in === 'tag' || place.quote === '' || place.attribute.startsWith('on')) return failsafe
  if (place.attribute === 'style') return /^[\w #.%,-]*$/.test(value) ? value : failsafe
  return escapeHtml(urlAttributes.has(place.attribute) ? escapeAddress(place.said, value) : value)
}

/** A value in an address: at its beginning it must be a harmless one itself, after `?` or `#` it is one parameter. */
function escapeAddress(said: string, value: string): string {
  if (/[?#]/.test(said)) return percentEncode(value)
  const begins = said.trim() === ''
  const scheme = /^\s*([^/?#:]*):/.exec(value)?.[1]?.trim().toLowerCase()
  if (begins && scheme !== undefined && !['http', 'https', 'mailto', 'tel'].includes(scheme)) return `#${failsafe}`
  return value.replaceAll(/[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu, percentEncode)
}
