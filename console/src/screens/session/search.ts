import type { Values } from '../../lib/api/schemas.ts'
import { momentSearch, parseMoment } from '../../lib/time.ts'
import { type ChipName, chips, defaultChips } from './moments/moments.ts'
import { type SessionTab, sessionTabs } from './panel/tabs.ts'

/** All that a link to a session says. */
export interface SessionSearch {
  /** Seconds since the session's start. */
  readonly t?: number
  /** An instant in place of `t`, ISO 8601, for links that do not know when the session began. */
  readonly at?: string
  readonly tab?: SessionTab
  /** The chips that are on, by comma; absent: those that are on at first. */
  readonly lane?: string
  readonly q?: string
  /** The request open in the drawer. */
  readonly request?: string
  /** The row open in the drawer: `schema.table:` and its key as JSON. */
  readonly row?: string
  /** The filter of the list that one came from: next and previous are by it. */
  readonly list?: Readonly<Record<string, unknown>>
  /** At its end the next session of the list is played. */
  readonly auto?: true
}

/** Reads a link; what it does not understand it leaves out. */
export function readSessionSearch(search: Readonly<Record<string, unknown>>): SessionSearch {
  const t = parseMoment(search.t)
  const tab = sessionTabs.find((name) => name === search.tab)
  return {
    ...(t === undefined ? readInstant(search.at) : { t }),
    ...(tab === undefined || tab === 'thread' ? {} : { tab }),
    ...(typeof search.lane === 'string' ? { lane: search.lane } : {}),
    ...text('q', search.q),
    ...text('request', search.request),
    ...text('row', search.row),
    ...readList(search.list),
    ...(search.auto === true ? { auto: true } : {}),
  }
}

const readList = (list: unknown): Pick<SessionSearch, 'list'> =>
  typeof list === 'object' && list !== null && !Array.isArray(list) ? { list: { ...list } } : {}

const readInstant = (at: unknown): { readonly at?: string } =>
  typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at } : {}

function text<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  if (value === undefined || value === null || value === '') return {}
  const pair: { [name in Name]?: string } = {}
  pair[name] = String(value)
  return pair
}

/** The chips a link asks for. */
export function readChips(text: string | undefined): readonly ChipName[] {
  if (text === undefined) return defaultChips
  const names = text.split(',')
  return chips.filter((chip) => names.includes(chip))
}

/** The link's part for chips; nothing when they are as at first. */
export function renderChips(on: readonly ChipName[]): { lane?: string } {
  return on.join() === defaultChips.join() ? {} : { lane: on.join() }
}

/** A row as a link names it. */
export interface RowRef {
  readonly schema: string
  readonly table: string
  readonly key: Values
}

/** Reads `schema.table:{"id":"7"}`; nothing when it is no such thing. */
export function readRow(row: string | undefined): RowRef | undefined {
  const parts = /^([^.:]+)\.([^:]+):(\{.*\})$/.exec(row ?? '')
  if (!parts) return undefined
  const [, schema = '', table = '', json = ''] = parts
  try {
    const key: unknown = JSON.parse(json)
    if (typeof key !== 'object' || key === null || Object.keys(key).length === 0) return undefined
    const pairs = Object.entries(key).map(([column, value]) => [column, value === null ? null : String(value)])
    return { schema, table, key: Object.fromEntries(pairs) }
  } catch {
    return undefined
  }
}

/** Names a row in a link. */
export function renderRow({ schema, table, key }: RowRef): string {
  return `${schema}.${table}:${JSON.stringify(key)}`
}

/** What a link says, its instant as a moment of the session. */
export function momentOfLink({ at, ...search }: SessionSearch, startedAt: string): SessionSearch {
  return at === undefined ? search : { ...search, ...momentSearch(Date.parse(at) - Date.parse(startedAt)) }
}
