import { isObject } from '../../ground/json/object.ts'
import type { Replay } from './replay.ts'

/** Recordings that were read, and the sessions whose recording cannot be played. */
export interface CheckedRecordings {
  readonly checked: number
  readonly broken: readonly string[]
}

/** Reads the latest recordings as the player does. */
export async function checkRecordings(
  { starts, messages }: Pick<Replay, 'starts' | 'messages'>,
  limit: number,
  now: Date,
): Promise<CheckedRecordings> {
  const sessions = await starts({ startedBefore: now, from: now, limit })
  const broken: string[] = []
  for (const { sessionId } of sessions) {
    let events = 0
    for await (const text of messages(sessionId, { offsetMs: 0 })) events += countEvents(text)
    if (events === 0) broken.push(sessionId)
  }
  return { checked: sessions.length, broken }
}

function countEvents(text: string): number {
  const message: unknown = JSON.parse(text)
  return isObject(message) && Array.isArray(message.events) ? message.events.length : 0
}
