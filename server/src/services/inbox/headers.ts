/** Parses the headers of a mail's source: values by name, names in alphabetical order, folded lines joined. */
export function parseHeaders(source: string): Readonly<Record<string, readonly string[]>> {
  const head = source.split('\r\n\r\n', 1)[0] ?? ''
  const lists = new Map<string, string[]>()
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    lists.set(name, [...(lists.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return Object.fromEntries([...lists].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
