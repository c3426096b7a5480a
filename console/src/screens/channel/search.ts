/** All that a link to a channel says. */
export interface ChannelSearch {
  readonly topic: string
  readonly private?: true
}

/** Reads a link. Numbers and other JSON are topics as well, which links hold as what they look like. */
export function readChannelSearch(search: Readonly<Record<string, unknown>>): ChannelSearch {
  const { topic } = search
  const text = typeof topic === 'string' ? topic : topic === undefined ? '' : JSON.stringify(topic)
  return { topic: text, ...(search.private === true && { private: true }) }
}
