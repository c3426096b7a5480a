import { storageError } from '../errors.ts'

const longestSvgBytes = 1024 * 1024
/** A drawing that repeats its parts more often takes long to draw. */
const mostUses = 100
const scanned =
  /<!entity|<(?:[\w.-]+:)?(?:image|feimage|filter|foreignobject)\b|href\s*=\s*["']?\s*(?!#|["'])|url\(\s*["']?\s*(?!#|["'])|@import/i

/**
 * Refuses a drawing with entities, which grow without bounds, with images and references outside of it, with filters, which
 * take any time, and in encodings other than those that contain ASCII.
 *
 * @throws InvalidRequest
 */
export function checkSvg(bytes: Buffer): void {
  if (bytes.length > longestSvgBytes) throw refused('it is larger than 1 MiB')
  if (bytes.includes(0)) throw refused('it is not UTF-8')
  const text = bytes.toString('latin1')
  if (scanned.test(text)) throw refused('it has entities, filters, or parts outside of it')
  if (text.split(/<(?:[\w.-]+:)?use\b/i).length > mostUses) throw refused('it repeats its parts too often')
}

const refused = (reason: string) => storageError('InvalidRequest', { message: `The SVG cannot be drawn: ${reason}` })

/** Whether bytes may be a drawing, which is text: sharp looks for its element anywhere at the beginning. */
export const mayBeSvg = (bytes: Buffer): boolean =>
  /<(?:\w+:)?svg|<!doctype|<\?xml/i.test(bytes.toString('latin1', 0, 4096).replaceAll('\0', ''))
