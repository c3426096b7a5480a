import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'
import type { ScannedEvents, SnapshotMessage } from '../../../ground/model/recording.ts'
import { findDistinctId } from '../event/event.ts'
import { parseInstant } from '../event/time.ts'

/** A session id that a recording may carry: it stands in URLs and queries. */
const sessionIdForm = /^[A-Za-z0-9-]{1,70}$/

/** Whether an event of a batch is a recording message. */
export const isSnapshot = (event: unknown): event is JsonObject => isObject(event) && event.event === '$snapshot'

/**
 * Reads one recording message. One request may carry messages of several sessions and windows, so each is read by
 * itself.
 *
 * @param scanned its events, where they were not parsed
 * @returns null when it names no valid session or distinct id, or holds no data
 */
export function parseSnapshot(
  raw: JsonObject,
  scanned: ScannedEvents | null,
  envelopeSentAtMs: number | null,
  newId: () => string,
): SnapshotMessage | null {
  const properties = objectOf(raw.properties) ?? {}
  const sessionId = textOf(properties.$session_id)
  const distinctId = findDistinctId(raw, properties)
  const events = scanned ?? parsedEvents(properties.$snapshot_data)
  if (sessionId === null || !sessionIdForm.test(sessionId) || distinctId === null) return null
  const windowId = textOf(properties.$window_id)
  const uuid = textOf(raw.uuid)
  return {
    uuid: uuid !== null && isUuid(uuid) ? uuid.toLowerCase() : newId(),
    distinctId,
    sessionId,
    windowId: windowId !== null && sessionIdForm.test(windowId) ? windowId : sessionId,
    sentAtMs: parseInstant(raw.sent_at) ?? envelopeSentAtMs,
    events,
  }
}

// Old clients send a single object.
const parsedEvents = (data: unknown): readonly unknown[] => (Array.isArray(data) ? data : isObject(data) ? [data] : [])
