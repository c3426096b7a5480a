import { isUtf8 } from 'node:buffer'
import { JsonScanner } from '../../../ground/http/json-scan.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { ScannedEvents } from '../../../ground/model/recording.ts'
import type { RecordingsPort } from '../replay-port.ts'
import { isSnapshot } from './snapshot.ts'

/** A body of recording messages whose events were not parsed. */
export interface ScannedBody {
  /** As JSON says it, with an empty list in the place of each message's events. */
  readonly value: unknown
  /** The events of each message. */
  readonly events: readonly ScannedEvents[]
}

const openBracket = 0x5b
const propertiesName = new TextEncoder().encode('properties')
const dataName = new TextEncoder().encode('$snapshot_data')
// The list of messages, a message, its properties.
const levelsAbove = 3

/**
 * Reads a list of recording messages, or one, and leaves their events as the bytes that they are: they are nearly all
 * of a body.
 *
 * @returns null for any other body, and where something is unusual: then parsing decides
 */
export function scanRecordings(bytes: Buffer, jsonDepth: number, scan: RecordingsPort['scan']): ScannedBody | null {
  const scanner = new JsonScanner(bytes, 0, jsonDepth)
  const events: ScannedEvents[] = []
  const pieces: string[] = []
  let copied = 0
  let found = 0

  const readProperty = (nameStart: number, nameEnd: number): boolean => {
    if (!scanner.isName(nameStart, nameEnd, dataName)) return scanner.value()
    const list = scanner.next() === openBracket ? scan(bytes, scanner.at, jsonDepth - levelsAbove) : null
    if (list === null) return false
    pieces.push(bytes.toString('utf8', copied, scanner.at), '[]')
    scanner.at = list.end
    copied = list.end
    found += 1
    events.push(list)
    return true
  }
  const readMember = (nameStart: number, nameEnd: number): boolean =>
    scanner.isName(nameStart, nameEnd, propertiesName) ? scanner.object(readProperty) : scanner.value()
  /** Each message has its events once, so that the n-th events are those of the n-th message. */
  const readMessage = (): boolean => {
    found = 0
    return scanner.object(readMember) && found === 1
  }

  if (!isUtf8(bytes)) return null
  const isRead = scanner.next() === openBracket ? scanner.array(readMessage) : readMessage()
  if (!isRead || scanner.next() !== 0 || scanner.at !== bytes.length) return null
  pieces.push(bytes.toString('utf8', copied))
  const value: unknown = JSON.parse(pieces.join(''))
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
  return messages.every((message) => isSnapshot(message) && isObject(message.properties)) ? { value, events } : null
}
