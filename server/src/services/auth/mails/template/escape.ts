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

type HtmlContext =
  | { readonly in: 'text' }
  | { readonly in: 'comment' }
  /** Between `<style>` or `<script>` and its end. */
  | { readonly in: 'raw'; readonly element: string }
  /** Inside a tag, outside its attributes' values. */
  | { readonly in: 'tag'; readonly element: string; readonly attribute: string }
  | {
      readonly in: 'value'
      readonly element: string
      readonly attribute: string
      readonly quote: string
      before: string
    }

const urlAttributes = new Set(['href', 'src', 'action', 'background', 'cite', 'formaction', 'poster', 'srcset'])
const rawElements = new Set(['script', 'style', 'title', 'textarea'])

/**
 * Escapes by context, as Go's `html/template` does: entities in text and attributes; in addresses only http, https, mailto and
 * tel, and percent-encoding once a `?` or `#` was said; nothing at all in scripts, handlers, and outside quotes.
 *
 * @see https://pkg.go.dev/html/template#hdr-Contexts
 */
export function createEscaper(): Escaper {
  let context: HtmlContext = { in: 'text' }
  return {
    follow(text) {
      let rest = text
      while (rest !== '') {
        const step = advance(context, rest)
        context = step.context
        rest = step.rest
      }
    },
    escape: (value) => escapeAt(context, value),
  }
}

interface Step {
  readonly context: HtmlContext
  readonly rest: string
}

function advance(context: HtmlContext, text: string): Step {
  switch (context.in) {
    case 'text': {
      const match = /<!--|<\/?([a-z][^\s/>]*)/i.exec(text)
      if (match === null) return { context, rest: '' }
      const rest = text.slice(match.index + match[0].length)
      if (match[0] === '<!--') return { context: { in: 'comment' }, rest }
      const element = match[0].startsWith('</') ? '' : (match[1] ?? '').toLowerCase()
      return { context: { in: 'tag', element, attribute: '' }, rest }
    }
    case 'comment':
      return until(context, text, /-->/, { in: 'text' })
    case 'raw':
      return until(context, text, new RegExp(`</${context.element}[^>]*>`, 'i'), { in: 'text' })
    case 'tag':
      return advanceInTag(context, text)
    default:
      return advanceInValue(context, text)
  }
}

function until(context: HtmlContext, text: string, end: RegExp, next: HtmlContext): Step {
  const match = end.exec(text)
  return match === null ? { context, rest: '' } : { context: next, rest: text.slice(match.index + match[0].length) }
}

function advanceInTag(context: Extract<HtmlContext, { in: 'tag' }>, text: string): Step {
  const { element } = context
  const match = /^(?:(>)|=\s*(["'])|=\s*(?=[^\s"'>])|([^\s=>"']+)|[\s\S])/.exec(text)
  const rest = text.slice(match?.[0].length ?? text.length)
  if (match?.[1] !== undefined)
    return { context: rawElements.has(element) ? { in: 'raw', element } : { in: 'text' }, rest }
  if (match?.[0].startsWith('=') === true)
    return { context: { in: 'value', element, attribute: context.attribute, quote: match[2] ?? '', before: '' }, rest }
  const attribute = match?.[3]?.toLowerCase()
  return { context: attribute === undefined ? context : { ...context, attribute }, rest }
}

function advanceInValue(context: Extract<HtmlContext, { in: 'value' }>, text: string): Step {
  const { element, quote } = context
  const end = quote === '' ? text.search(/[\s>]/) : text.indexOf(quote)
  if (end === -1) return { context: { ...context, before: context.before + text }, rest: '' }
  return { context: { in: 'tag', element, attribute: '' }, rest: text.slice(end + quote.length) }
}

function escapeAt(context: HtmlContext, value: string): string {
  if (context.in === 'text') return escapeHtml(value)
  if (context.in === 'comment') return ''
  if (context.in === 'raw')
    return context.element === 'title' || context.element === 'textarea' ? escapeHtml(value) : failsafe
  if (context.in === 'tag' || context.quote === '' || context.attribute.startsWith('on')) return failsafe
  if (context.attribute === 'style') return /^[\w #.%,-]*$/.test(value) ? value : failsafe
  return escapeHtml(urlAttributes.has(context.attribute) ? escapeAddress(context.before, value) : value)
}

/** A value in an address: at its beginning it must be a harmless one itself, after `?` or `#` it is one parameter. */
function escapeAddress(before: string, value: string): string {
  if (/[?#]/.test(before)) return percentEncode(value)
  const begins = before.trim() === ''
  const scheme = /^\s*([^/?#:]*):/.exec(value)?.[1]?.trim().toLowerCase()
  if (begins && scheme !== undefined && !['http', 'https', 'mailto', 'tel'].includes(scheme)) return `#${failsafe}`
  return value.replaceAll(/[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu, percentEncode)
}
