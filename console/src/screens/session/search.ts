import type { Moment, Note, SessionDetail, SessionSummary, Values } from '../../lib/api/schemas.ts'
import { momentSearch, parseMoment } from '../../lib/time.ts'
import { type ChipName, chips, defaultChips } from './moments/moments.ts'
import { consoleLevels } from './panel/console/levels.ts'
import { networkKinds, statusClasses } from './panel/network/network-rows.ts'
import type { PanelCallbacks, SessionShown } from './panel/side-panel.tsx'
import { type SessionTab, sessionTabs } from './panel/tabs.ts'
import type { PlaybackStart } from './queries.ts'

/** All that a link to a session says. */
export interface SessionSearch {
  /** Seconds since the session's start. */
  readonly t?: number
  /** An instant in place of `t`, ISO 8601, for links that do not know when the session began. */
  readonly at?: string
  /** A request or a message of a socket: its moment is opened, which may be a click before it. */
  readonly moment?: string
  /** The note that is chosen. */
  readonly note?: string
  readonly tab?: SessionTab
  /** The chips that are on, by comma; absent: those that are on at first. */
  readonly lane?: string
  readonly q?: string
  /** Levels of the console, kinds and statuses of the network, each by comma; absent: all. */
  readonly level?: string
  readonly kind?: string
  readonly status?: string
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
    ...text('level', search.level),
    ...text('kind', search.kind),
    ...text('status', search.status),
    ...text('moment', search.moment),
    ...text('note', search.note),
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

/** Where a session's playback stands at first: at the moment that a link names; else one that is live where it is now. */
export const startOf = ({ t, note }: Pick<SessionSearch, 't' | 'note'>, isLive: boolean): PlaybackStart =>
  isLive && t === undefined && note === undefined ? 'end' : (t ?? 0) * 1000

/** What of a session's panel a link shows. */
export const shownOf = ({ tab = 'thread', q = '', lane, level, kind, status }: SessionSearch): SessionShown => ({
  tab,
  filter: q,
  chips: readChips(lane),
  levels: readNames(consoleLevels, level),
  network: { kinds: readNames(networkKinds, kind), statuses: readNames(statusClasses, status) },
})

/** Writes into the address what is chosen in the panel. */
export const panelCallbacks = (
  onSearch: (change: (search: SessionSearch) => SessionSearch) => void,
): Pick<PanelCallbacks, 'onTab' | 'onFilter' | 'onChips' | 'onLevels' | 'onNetwork'> => ({
  onTab: (tab) => onSearch(({ tab: _tab, ...rest }) => (tab === 'thread' ? rest : { ...rest, tab })),
  onFilter: (q) => onSearch(({ q: _q, ...rest }) => ({ ...rest, ...text('q', q) })),
  onChips: (on) => onSearch(({ lane: _lane, ...rest }) => ({ ...rest, ...renderChips(on) })),
  onLevels: (levels) => onSearch(({ level: _level, ...rest }) => ({ ...rest, ...text('level', levels.join()) })),
  onNetwork: ({ kinds, statuses }) =>
    onSearch(({ kind, status, ...rest }) => ({
      ...rest,
      ...text('kind', kinds?.join() ?? kind),
      ...text('status', statuses?.join() ?? status),
    })),
})

/** Those of the names that a text has, by comma. */
function readNames<Name extends string>(names: readonly Name[], list = ''): readonly Name[] {
  const wanted = list.split(',')
  return names.filter((name) => wanted.includes(name))
}

/** The chips a link asks for. */
export function readChips(text: string | undefined): readonly ChipName[] {
  if (text === undefined) return defaultChips
  return readNames(chips, text)
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

/** The moment that a request or a message of a socket stands at: it may be the click that caused it. */
export const findMoment = (moments: readonly Moment[], id: string | undefined): Moment | undefined =>
  id === undefined
    ? undefined
    : moments.find(({ requests, frame }) => frame?.id === id || requests.some((request) => request.id === id))

/** Whether a session is shown with its timeline only: it says where the link leads, or is all that there is. */
export const waitsForTimeline = (
  { at, moment, note }: SessionSearch,
  { hasRecording }: Pick<SessionSummary, 'hasRecording'>,
): boolean => !hasRecording || at !== undefined || moment !== undefined || note !== undefined

/**
 * What a link says, its `t` a moment of the session: that of the request or message that it names, else its own, else
 * that of its instant or its note.
 */
export function momentOfLink(
  { at, ...search }: SessionSearch,
  { session, moments }: SessionDetail,
  notes: readonly Pick<Note, 'id' | 'at'>[],
): SessionSearch {
  const named = findMoment(moments, search.moment)
  if (named !== undefined) return { ...search, t: named.atMs / 1000 }
  const instant = at ?? notes.find(({ id }) => id === search.note)?.at
  return search.t !== undefined || instant === undefined
    ? search
    : { ...search, ...momentSearch(Date.parse(instant) - Date.parse(session.startedAt)) }
}
