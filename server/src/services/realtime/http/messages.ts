import { isObject, objectOf, textOf } from '../../../ground/json/object.ts'
import { topicPrefix } from '../channel/channel.ts'
import { realtimeError } from '../errors.ts'
import type { BroadcastPayload } from '../wire/frames.ts'

/** A broadcast that came by HTTP. */
export interface HttpBroadcast {
  /** Without `realtime:`. */
  readonly topic: string
  readonly event: string
  readonly payload: BroadcastPayload
  readonly isPrivate: boolean
}

/** How much a call may send. */
export interface BroadcastLimits {
  readonly payloadBytes: number
  readonly batchMessages: number
}

/** @throws BadMessages for what is no JSON */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw realtimeError('BadMessages', { details: { body: ['is no JSON'] }, cause })
  }
}

type FieldErrors = Record<string, readonly string[]>

/** The messages of a body. @throws BadMessages, TooManyMessages */
export function readMessages(
  body: unknown,
  { payloadBytes, batchMessages }: BroadcastLimits,
): readonly HttpBroadcast[] {
  const { messages } = objectOf(body) ?? {}
  if (!Array.isArray(messages) || messages.length === 0)
    throw realtimeError('BadMessages', { details: { messages: ["can't be blank"] } })
  if (messages.length > batchMessages) throw realtimeError('TooManyMessages')
  const read = messages.map((each) => readMessage(each, payloadBytes))
  if (read.some(({ errors }) => Object.keys(errors).length > 0))
    throw realtimeError('BadMessages', { details: { messages: read.map(({ errors }) => errors) } })
  return read.flatMap(({ message }) => message ?? [])
}

function readMessage(
  value: unknown,
  payloadBytes: number,
): { readonly message?: HttpBroadcast; readonly errors: FieldErrors } {
  const { topic, event, payload, private: isPrivate = false } = objectOf(value) ?? {}
  const errors: FieldErrors = {}
  const topicText = textOf(topic)
  const eventText = textOf(event)
  if (topicText === null) errors.topic = ["can't be blank"]
  if (eventText === null) errors.event = ["can't be blank"]
  if (payload === undefined || payload === null) errors.payload = ["can't be blank"]
  else if (!isObject(payload)) errors.payload = ['is invalid']
  if (typeof isPrivate !== 'boolean') errors.private = ['is invalid']
  const bytes = Buffer.from(JSON.stringify(payload ?? {}))
  if (bytes.length > payloadBytes) errors.payload = ['Payload size exceeds tenant limit']
  if (Object.keys(errors).length > 0 || topicText === null || eventText === null) return { errors }
  const message = {
    topic: withoutPrefix(topicText),
    event: eventText,
    payload: { isJson: true, bytes },
    isPrivate: isPrivate === true,
  }
  return { message, errors }
}

const withoutPrefix = (topic: string): string =>
  topic.startsWith(topicPrefix) ? topic.slice(topicPrefix.length) : topic
