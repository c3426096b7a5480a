/** Something that a request of a session did, which is worth telling. */
export type Deed =
  | {
      readonly kind: 'change'
      readonly schema: string
      readonly table: string
      readonly operation: string
      readonly rows: number
      /** Of its first row, as texts; empty where it has none. */
      readonly key: Readonly<Record<string, string>>
    }
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'failure'; readonly path: string; readonly status: number }

interface Part {
  /** Parts that say one thing are told once. */
  readonly topic: string
  readonly say: (times: number, rows: number) => string
  readonly rows: number
  /** Where not all is told, the heaviest is. */
  readonly weight: number
}

const mostParts = 3
const verbs: Readonly<Record<string, string>> = { insert: 'added', update: 'changed', delete: 'deleted' }

/**
 * What was done in a session, in one sentence: `Added orders #825, then found no invoices`; null where nothing is worth
 * telling.
 *
 * @param showsKeys whether keys of rows are told, which are values of the application
 */
export function saySession(deeds: readonly Deed[], showsKeys: boolean): string | null {
  const topics = new Map<string, { readonly part: Part; times: number; rows: number }>()
  for (const part of deeds.flatMap((deed) => partOf(deed, showsKeys))) {
    const known = topics.get(part.topic)
    if (known === undefined) topics.set(part.topic, { part, times: 1, rows: part.rows })
    else {
      known.times += 1
      known.rows += part.rows
    }
  }
  const all = [...topics.values()]
  const heaviest = new Set(all.toSorted((one, other) => other.part.weight - one.part.weight).slice(0, mostParts))
  const words = all.filter((one) => heaviest.has(one)).map(({ part, times, rows }) => part.say(times, rows))
  const last = words.pop()
  if (last === undefined) return null
  const sentence = words.length === 0 ? last : `${words.join(', ')}, then ${last}`
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}${all.length > mostParts ? ', and more' : ''}`
}

function partOf(deed: Deed, showsKeys: boolean): readonly Part[] {
  switch (deed.kind) {
    case 'change':
      return partOfChange(deed, showsKeys)
    case 'empty': {
      const name = nameOf(deed.path)
      return [{ topic: `empty ${name}`, say: () => `found no ${name}`, rows: 0, weight: 2 }]
    }
    case 'failure': {
      const name = nameOf(deed.path)
      const say = (times: number) => `got ${deed.status} from ${name}${timesText(times)}`
      return [{ topic: `failure ${deed.status} ${name}`, say, rows: 0, weight: 4 }]
    }
    default:
      return deed satisfies never
  }
}

type Change = Extract<Deed, { readonly kind: 'change' }>

function partOfChange({ schema, table, operation, rows, key }: Change, showsKeys: boolean): readonly Part[] {
  if (schema === 'auth') return partOfAuth(table, operation)
  if (schema === 'storage') {
    const say = (_times: number, files: number) =>
      `${operation === 'delete' ? 'deleted' : 'uploaded'} ${counted(files, 'file')}`
    return table === 'objects' && operation !== 'update' ? [{ topic: `files ${operation}`, say, rows, weight: 3 }] : []
  }
  const verb = verbs[operation]
  if (verb === undefined) return []
  const values = Object.values(key)
  const [first = ''] = values
  const isNamed = showsKeys && values.length === 1 && first.length <= 12
  return [
    {
      topic: `${operation} ${schema}.${table}`,
      say: (times, all) =>
        `${verb} ${all === 1 && isNamed ? `${table} #${first}` : all === 1 ? `a row of ${table}` : `${all} ${table}`}${all === 1 ? timesText(times) : ''}`,
      rows,
      weight: operation === 'update' ? 2 : 3,
    },
  ]
}

function partOfAuth(table: string, operation: string): readonly Part[] {
  const say = (words: string, weight: number): readonly Part[] => [{ topic: words, say: () => words, rows: 0, weight }]
  if (operation === 'insert' && table === 'users') return say('signed up', 3)
  if (operation === 'insert' && table === 'sessions') return say('signed in', 1)
  return operation === 'delete' && table === 'sessions' ? say('signed out', 1) : []
}

/** A table by its name, whatever else by its path. */
const nameOf = (path: string): string => /^\/rest\/v1\/(?:rpc\/)?([^/]+)$/.exec(path)?.[1] ?? path
const timesText = (times: number): string => (times === 1 ? '' : times === 2 ? ' twice' : ` ${times} times`)
const counted = (count: number, noun: string): string => (count === 1 ? `a ${noun}` : `${count} ${noun}s`)
