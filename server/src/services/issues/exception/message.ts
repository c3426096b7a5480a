/** What differs between two messages of one error, each with what stands in its place. In this order. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/[^\s"'<>)]+/gi, '<url>'],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu, '<email>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/"[^"\n]{0,500}"|'[^'\n]{0,500}'|`[^`\n]{0,500}`/g, '<text>'],
  [/\b0x[0-9a-f]+\b/gi, '<id>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b/gi, '<id>'],
  [/\b\d+(?:[.,]\d+)*\b/g, '<number>'],
]

const longest = 500

/** A message without what differs from one time to the next: numbers, ids, addresses, times, quoted texts. */
export const normalizeMessage = (message: string): string =>
  varying
    .reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), message.slice(0, 2000))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
