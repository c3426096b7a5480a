import type { RequestMoment } from '../../../../lib/api/schemas.ts'
import { readableQuery } from '../../../../lib/request-text.ts'
import type { NetworkEntry, NetworkPhase } from '../../../../player/page-log.ts'
import { phasesOf } from '../../../../thread/request/phases.ts'

/** What requests of a session are of; `api` are those that Clew answered. */
export const networkKinds = ['api', 'page', 'fetch', 'script', 'style', 'image', 'other'] as const

/** One of `networkKinds`. */
export type NetworkKind = (typeof networkKinds)[number]

/** Classes of statuses. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** One of `statusClasses`. */
export type StatusClass = (typeof statusClasses)[number]

/** A stretch of a request's time: as the browser timed it, else as the server did. */
export interface NetworkPart {
  readonly kind: NetworkPhase['kind'] | 'server' | 'sql'
  readonly ms: number
}

/** A line of the network. */
export interface NetworkRow {
  readonly id: string
  readonly atMs: number
  readonly durationMs: number
  readonly kind: NetworkKind
  /** Null where it is not known. */
  readonly method: string | null
  readonly name: string
  readonly url: string
  readonly status: number | null
  readonly parts: readonly NetworkPart[]
  /** What Clew recorded of it. */
  readonly request: RequestMoment | undefined
}

/** A browser and a server tell of one request with so much between them at most. */
const nearMs = 3000

/** The session's requests by time: those that Clew answered, with what the browser timed of them, and all others. */
export function networkRows(
  requests: readonly RequestMoment[],
  entries: readonly NetworkEntry[],
): readonly NetworkRow[] {
  const byPath = new Map<string, NetworkEntry[]>()
  for (const entry of entries) {
    const path = pathOf(entry.url)
    byPath.set(path, [...(byPath.get(path) ?? []), entry])
  }
  const taken = new Set<string>()
  const rows = requests.map((request) => {
    const near = (byPath.get(request.path) ?? []).filter((entry) => !taken.has(entry.id) && isOf(entry, request))
    const [entry] = near.toSorted((a, b) => Math.abs(a.atMs - request.atMs) - Math.abs(b.atMs - request.atMs))
    if (entry) taken.add(entry.id)
    return requestRow(request, entry)
  })
  const others = entries.filter(({ id }) => !taken.has(id)).map(entryRow)
  return [...rows, ...others].toSorted((a, b) => a.atMs - b.atMs)
}

const isOf = ({ method, atMs, windowId }: NetworkEntry, request: RequestMoment): boolean =>
  (method === null || method === request.method) &&
  (request.windowId === null || request.windowId === windowId) &&
  Math.abs(atMs - request.atMs) <= nearMs

function requestRow(request: RequestMoment, entry: NetworkEntry | undefined): NetworkRow {
  const { id, method, path, query, status } = request
  const timed = entry !== undefined && entry.phases.length > 0 ? entry : undefined
  const name = `${path}${readableQuery(query)}`
  return {
    ...{ id, method, name, url: timed?.url ?? name, status, request, kind: 'api' },
    atMs: timed?.atMs ?? request.atMs,
    durationMs: timed?.durationMs ?? request.durationMs,
    parts: timed?.phases ?? serverParts(request),
  }
}

const serverParts = (request: RequestMoment): readonly NetworkPart[] =>
  phasesOf(request, request.statements).map(({ kind, durationMs }) => ({
    kind: kind === 'sql' ? 'sql' : 'server',
    ms: durationMs,
  }))

function entryRow({ id, atMs, durationMs, method, url, status, initiator, phases }: NetworkEntry): NetworkRow {
  const parts = phases.length > 0 ? phases : [{ kind: 'waiting' as const, ms: durationMs }]
  return {
    id,
    atMs,
    durationMs,
    method,
    url,
    status,
    parts,
    kind: kindOf(initiator),
    name: shortUrl(url),
    request: undefined,
  }
}

function kindOf(initiator: string): NetworkKind {
  switch (initiator) {
    case 'navigation':
      return 'page'
    case 'fetch':
    case 'xmlhttprequest':
    case 'beacon':
      return 'fetch'
    case 'script':
      return 'script'
    case 'css':
    case 'link':
      return 'style'
    case 'img':
    case 'image':
      return 'image'
    default:
      return 'other'
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

function shortUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname, search } = new URL(url)
  return `${host}${pathname}${readableQuery(search)}`
}

/** The class of a status; undefined where it is not known. */
export const statusClassOf = ({ status }: Pick<NetworkRow, 'status'>): StatusClass | undefined =>
  statusClasses.find((one) => status !== null && one.startsWith(String(Math.floor(status / 100))))

/** Requests so far apart are of two bursts. */
const apartMs = 1000

/** Where a row's bar stands among the requests around it, as shares of their time. */
export interface BarPlace {
  readonly from: number
  readonly length: number
}

/**
 * Places the bars of rows: those that go on at once, or follow one another closely, share a scale. On the scale of the whole
 * session each of them would be a point.
 *
 * @param rows by time
 */
export function placeBars(rows: readonly NetworkRow[]): ReadonlyMap<string, BarPlace> {
  const places = new Map<string, BarPlace>()
  let burst: NetworkRow[] = []
  let endMs = Number.NEGATIVE_INFINITY
  const close = () => {
    const [first] = burst
    if (first === undefined) return
    const lengthMs = Math.max(endMs - first.atMs, 1)
    for (const { id, atMs, durationMs } of burst)
      places.set(id, { from: (atMs - first.atMs) / lengthMs, length: durationMs / lengthMs })
  }
  for (const row of rows) {
    if (row.atMs > endMs + apartMs) {
      close()
      burst = []
      endMs = Number.NEGATIVE_INFINITY
    }
    burst.push(row)
    endMs = Math.max(endMs, row.atMs + row.durationMs)
  }
  close()
  return places
}
