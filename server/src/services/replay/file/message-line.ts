import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import type { MessageLineHead } from '../../../ground/model/recording.ts'
import { replayError } from '../errors.ts'
import { recordings } from '../ingest/recordings.ts'

/** A message of a file, as a line of `snapshots`. */
export interface FileMessage {
  readonly uuid: string
  readonly distinctId: string
  readonly receivedMs: number
  /** For `Replay.store`. */
  readonly line: Buffer
}

const events = Buffer.from(',"events":')
const longestHead = 64 * 1024
const longestId = 200
const windowIdForm = /^[A-Za-z0-9-]{1,70}$/
const latestMs = 8.64e15

/**
 * Reads a line of a file: its head is parsed, its events only where they are not as recorders write them. What a list of
 * sessions shows of a message is made anew, and not believed.
 *
 * @throws CLEW_REPLAY_FILE_FORM
 */
export function readMessageLine(line: Buffer, sessionId: string, jsonDepth: number): FileMessage {
  const at = line.indexOf(events)
  const head = at < 0 || at > longestHead ? null : parse(`${line.toString('utf8', 0, at)}}`)
  if (head === null || !isMessageHead(head)) throw replayError('CLEW_REPLAY_FILE_FORM', { message: noMessage })
  const scanned = recordings.scan(line, at + events.length, jsonDepth)
  const isWhole = scanned !== null && line.toString('utf8', scanned.end).trim() === '}'
  const rendered = recordings.toLine(
    {
      uuid: head.message,
      distinctId: head.distinctId,
      sessionId,
      windowId: windowIdForm.test(head.windowId) ? head.windowId : sessionId,
      sentAtMs: head.sentAtMs,
      events: isWhole ? scanned : parsedEvents(line, at + events.length),
    },
    { receivedAtMs: head.receivedMs, userAgent: head.userAgent },
  )
  if (rendered === null) throw replayError('CLEW_REPLAY_FILE_FORM', { message: noMessage })
  return { uuid: head.message.toLowerCase(), distinctId: head.distinctId, receivedMs: head.receivedMs, line: rendered }
}

const noMessage = 'A line of the file is no message of a recording.'

function parsedEvents(line: Buffer, start: number): readonly unknown[] {
  const parsed = parse(`{"events":${line.toString('utf8', start)}`)
  if (!Array.isArray(parsed?.events)) throw replayError('CLEW_REPLAY_FILE_FORM', { message: noMessage })
  return parsed.events
}

function isMessageHead(head: JsonObject): head is JsonObject & MessageLineHead {
  const { message, distinctId, sentAtMs, userAgent, windowId, receivedMs } = head
  return (
    typeof message === 'string' &&
    isUuid(message) &&
    typeof distinctId === 'string' &&
    distinctId.length <= longestId &&
    (sentAtMs === null || isMoment(sentAtMs)) &&
    typeof userAgent === 'string' &&
    typeof windowId === 'string' &&
    isMoment(receivedMs)
  )
}

const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= latestMs

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
