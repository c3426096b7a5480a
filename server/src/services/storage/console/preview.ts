import { essenceOf } from '../buckets/mime-types.ts'

/** As what the console shows an object's bytes. */
export type Preview = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'none'

const images = new Set(['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg+xml', 'x-icon', 'vnd.microsoft.icon'])
const texts = new Set([
  'json',
  'xml',
  'javascript',
  'x-javascript',
  'sql',
  'yaml',
  'x-yaml',
  'toml',
  'x-sh',
  'x-ndjson',
])

/** The way to show a type; `none` for one that is only downloaded. */
export function previewOf(mimeType: string | null): Preview {
  const [group = '', subtype = ''] = essenceOf(mimeType ?? '').split('/')
  if (group === 'image') return images.has(subtype) ? 'image' : 'none'
  if (group === 'video' || group === 'audio') return group
  if (group === 'text') return 'text'
  if (group !== 'application') return 'none'
  if (subtype === 'pdf') return 'pdf'
  return texts.has(subtype) || /\+(json|xml)$/.test(subtype) ? 'text' : 'none'
}

/** A browser's viewer of PDF does not run in a sandbox; it runs the file's scripts in one of its own. */
const policies = {
  strict:
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'none'; sandbox",
  pdf: "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
} as const

/**
 * The headers with which the console's origin serves bytes that a stranger uploaded: nothing of them runs there. What
 * cannot be shown is an attachment, and texts are plain ones, whatever they say they are.
 *
 * @param fileName   the name that the bytes have when they are saved; empty without one
 * @param isDownload whether they are saved; else they are shown where that is allowed
 */
export function previewHeaders(
  mimeType: string | null,
  fileName: string,
  isDownload: boolean,
): Readonly<Record<string, string>> {
  const preview = previewOf(mimeType)
  const isShown = !isDownload && preview !== 'none'
  return {
    'content-type': isShown ? shownType(preview, essenceOf(mimeType ?? '')) : 'application/octet-stream',
    'content-security-policy': preview === 'pdf' && isShown ? policies.pdf : policies.strict,
    'content-disposition': named(isShown ? 'inline' : 'attachment', fileName),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  }
}

const shownType = (preview: Preview, type: string): string => (preview === 'text' ? 'text/plain; charset=utf-8' : type)

/** A viewer of PDF shows the name, and saves under it. */
const named = (disposition: string, name: string): string =>
  name === '' ? disposition : `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
