import { createHash } from 'node:crypto'
import { isUuid } from '../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../ground/json/object.ts'
import { type MessageLineHead, recordingFileVersion } from '../../ground/model/recording.ts'

/** The object that a column holds: of JSON Lines it is one, of Parquet its text. */
function objectIn(value: unknown): JsonObject | null {
  if (typeof value !== 'string') return objectOf(value)
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

/**
 * An event as capture takes it. What a batch export puts beside the properties goes back among them; an event without an id
 * gets one of what it says, so that it is stored once.
 */
export function mapEvent(row: JsonObject, text: string): JsonObject {
  const properties = objectIn(row.properties) ?? {}
  const chain = textOf(row.elements_chain) ?? (typeof row.elements === 'string' ? row.elements : null)
  const set = objectIn(row.set)
  const setOnce = objectIn(row.set_once)
  const id = textOf(row.uuid) ?? textOf(row.id) ?? ''
  return {
    uuid: isUuid(id) ? id.toLowerCase() : uuidOf(text),
    event: row.event,
    distinct_id: row.distinct_id,
    timestamp: momentOf(row.timestamp),
    created_at: momentOf(row.created_at ?? row._inserted_at),
    properties: {
      ...properties,
      ...(chain === null || chain === '' || properties.$elements_chain !== undefined ? {} : { $elements_chain: chain }),
      ...(set === null || properties.$set !== undefined ? {} : { $set: set }),
      ...(setOnce === null || properties.$set_once !== undefined ? {} : { $set_once: setOnce }),
    },
  }
}

/** A person as lines of the import: one for each of their distinct ids. */
export function mapPerson(row: JsonObject): readonly JsonObject[] {
  const ids: readonly unknown[] = Array.isArray(row.distinct_ids) ? row.distinct_ids : [row.distinct_id]
  const known = textOf(row.person_id) ?? textOf(row.uuid) ?? textOf(row.id)
  return ids.map((distinctId) => ({
    person_id: known ?? (typeof row.id === 'number' ? String(row.id) : ''),
    distinct_id: distinctId,
    properties: objectIn(row.properties) ?? {},
    created_at: momentOf(row.created_at),
  }))
}

/** ClickHouse writes a time with a blank and without a zone: it is UTC. */
const momentOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value)
    ? `${value.replace(' ', 'T').replace(/(\.\d{3})\d+$/, '$1')}Z`
    : value

/** An id made of a text: RFC 9562 §5.8. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A flag as the console stores it, and what of it has no place here. */
export function mapFlag(row: JsonObject): { readonly flag: JsonObject; readonly lost: readonly string[] } {
  const lost = Object.entries({
    'its experiment': Array.isArray(row.experiment_set) && row.experiment_set.length > 0,
    'its tags': Array.isArray(row.tags) && row.tags.length > 0,
    'its dashboards': Array.isArray(row.analytics_dashboards) && row.analytics_dashboards.length > 0,
    'its creator and times': 'created_at' in row,
    'its schedules': row.has_scheduled_changes === true,
    'encrypted payloads': row.has_encrypted_payloads === true,
  })
  const runtime = row.evaluation_runtime
  return {
    flag: {
      key: row.key,
      description: textOf(row.name) ?? '',
      active: row.active === true && row.deleted !== true,
      filters: isObject(row.filters) ? row.filters : {},
      keepsBucket: row.ensure_experience_continuity === true,
      bucketing: row.bucketing_identifier === 'device_id' ? 'device_id' : 'distinct_id',
      runtime: runtime === 'client' || runtime === 'server' ? runtime : 'all',
      contexts: Array.isArray(row.evaluation_tags) ? row.evaluation_tags : [],
      earlyAccess: null,
    },
    lost: lost.flatMap(([what, isLost]) => (isLost ? [what] : [])),
  }
}

/**
 * Filters with the ids that cohorts have here.
 *
 * @throws where a filter asks for a cohort that was not imported
 */
export function withCohorts(filters: unknown, cohort: (theirs: number) => number | undefined): unknown {
  if (Array.isArray(filters)) return filters.map((each) => withCohorts(each, cohort))
  if (!isObject(filters)) return filters
  const mapped = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, withCohorts(value, cohort)]))
  if (filters.type !== 'cohort') return mapped
  const ours = cohort(Number(filters.value))
  if (ours === undefined) throw new Error(`it asks for the cohort ${String(filters.value)}, which was not imported`)
  return { ...mapped, value: ours }
}

/** Messages of a recording hold so many events at most. */
const eventsPerMessage = 500

/**
 * A recording as the player exports it, as lines of a recording file (`RecordingFileHead`). Null where it names no session.
 *
 * @param named the session, where the file says it and the row does not
 */
export function mapRecording(row: JsonObject, named: string): readonly string[] | null {
  const data = objectOf(row.data) ?? {}
  const sessionId = textOf(data.id) ?? textOf(row.id) ?? named
  const snapshots = Array.isArray(data.snapshots) ? data.snapshots.filter(isObject) : []
  if (snapshots.length === 0) return null
  const person = objectOf(data.person) ?? {}
  const [firstId] = Array.isArray(person.distinct_ids) ? person.distinct_ids : []
  const distinctId = textOf(person.distinct_id) ?? textOf(firstId) ?? sessionId
  const byWindow = new Map<string, JsonObject[]>()
  for (const { windowId, ...event } of snapshots) {
    const window = textOf(windowId) ?? sessionId
    const events = byWindow.get(window)
    if (events === undefined) byWindow.set(window, [event])
    else events.push(event)
  }
  const messages = [...byWindow].flatMap(([windowId, events]) =>
    partsOf(events).map((part, index) => renderMessage({ sessionId, windowId, distinctId, part, index })),
  )
  const head = {
    clewRecording: recordingFileVersion,
    sessionId,
    exportedAt: new Date(0).toISOString(),
    values: false,
    detail: {},
  }
  return [JSON.stringify(head), ...messages, JSON.stringify({ end: { moments: 0, messages: messages.length } })]
}

const partsOf = (events: readonly JsonObject[]): readonly (readonly JsonObject[])[] =>
  Array.from({ length: Math.ceil(events.length / eventsPerMessage) }, (_, index) =>
    events.slice(index * eventsPerMessage, (index + 1) * eventsPerMessage),
  )

interface MessagePart {
  readonly sessionId: string
  readonly windowId: string
  readonly distinctId: string
  readonly part: readonly JsonObject[]
  readonly index: number
}

function renderMessage({ sessionId, windowId, distinctId, part, index }: MessagePart): string {
  const uuid = uuidOf(`${sessionId} ${windowId} ${index}`)
  // When it arrived the export does not say: it was not before the last of it happened.
  const receivedMs = part.reduce((latest, { timestamp }) => Math.max(latest, Math.trunc(Number(timestamp)) || 0), 0)
  const head: MessageLineHead = {
    ...{ message: uuid, distinctId, sentAtMs: receivedMs, userAgent: '', windowId, tail: uuid.slice(-12) },
    ...{ receivedMs, offsetMs: 0 },
  }
  return `${JSON.stringify(head).slice(0, -1)},"events":${JSON.stringify(part)}}`
}
