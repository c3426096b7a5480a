const blocks = /<\/?(?:p|div|h[1-6]|tr|table|ul|ol|li|blockquote|section|header|footer|br|hr)\b[^>]*>/gi

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text of a mail for a program that shows no HTML: its words, each link's address under its words. */
export function plainText(html: string): string {
  const text = html
    .replaceAll(/<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '')
    .replaceAll(/<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>(.*?)<\/a\s*>/gi, link)
    .replaceAll(blocks, '\n')
    .replaceAll(/<[^>]*>/g, '')
  return `${decodeEntities(text)
    .replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\n{2,}/g, '\n\n')
    .trim()}\n`
}

function link(_whole: string, double: string | undefined, single: string | undefined, words: string): string {
  const address = double ?? single ?? ''
  const label = words.replaceAll(/<[^>]*>/g, '').trim()
  return label === '' || label === address ? ` ${address} ` : `${label}<br>${address}<br>`
}

/** Entities once: `&amp;lt;` is the text `&lt;`. */
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
