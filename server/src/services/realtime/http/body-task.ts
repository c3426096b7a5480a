import type { TaskOutput } from '../../../engines/threads/index.ts'
import { isNestedDeeper } from '../../../ground/http/json-size.ts'
import { realtimeError } from '../errors.ts'
import { type BroadcastLimits, type HttpBroadcast, parseBody, readMessages } from './messages.ts'

/** A large body, as it moves to a thread. */
export interface BodyTask {
  readonly bytes: ArrayBuffer
  /** How deep it may nest. */
  readonly depth: number
  /** Of the messages that it holds; null where it is a payload, of which only its form is looked at. */
  readonly limits: BroadcastLimits | null
}

/** Reads a body in a thread. @throws what `readBodyText` does */
export function run({ bytes, depth, limits }: BodyTask): TaskOutput {
  const text = Buffer.from(bytes).toString()
  if (isNestedDeeper(text, depth)) throw nestedTooDeeply()
  return { value: readBodyText(text, limits), transfer: [] }
}

/** The messages of a body; none where it is a payload. @throws realtimeError */
export function readBodyText(text: string, limits: BroadcastLimits | null): readonly HttpBroadcast[] {
  const body = parseBody(text)
  return limits === null ? [] : readMessages(body, limits)
}

/** A body whose arrays and objects stand deeper in one another than may be. */
export const nestedTooDeeply = (): Error =>
  realtimeError('BadMessages', { details: { body: ['is nested too deeply'] } })
