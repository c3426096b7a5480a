import type { FastifyRequest } from 'fastify'
import { isObject, objectOf, textOf } from '../../../ground/json/object.ts'
import type { Caller } from '../../../ground/model/caller.ts'
import type { FrameCause } from '../../../ground/model/frame.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Authorizer } from '../caller/authorize.ts'
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

/** The dependencies of the broadcast API. */
export interface BroadcastDeps {
  readonly authorizer: Authorizer
  readonly payloadBytes: number
  readonly batchMessages: number
  /** Hands a broadcast to the members of its room on all nodes. */
  readonly publish: (message: HttpBroadcast, cause: FrameCause) => void
  /** Likewise, one whose payload is the message as a whole. */
  readonly relay: (message: HttpBroadcast, cause: FrameCause) => void
}

/** The caller of a request. @throws Unauthorized */
export function callerOf(request: FastifyRequest): Caller {
  const { identity } = request.getDecorator<RequestContext>('requestContext')
  const caller = identity.kind === 'caller' ? identity.caller : identity.kind === 'no_key' ? identity.bearer : undefined
  if (caller === undefined) throw realtimeError('Unauthorized')
  return caller
}

/** Sends the messages of a body; private ones that the caller may not send are left out in silence (realtime §4). */
export async function broadcastMany(
  deps: BroadcastDeps,
  caller: Caller,
  body: unknown,
  cause: FrameCause,
): Promise<void> {
  const messages = readMessages(body, deps)
  const allowed = new Map<string, Promise<boolean>>()
  for (const message of messages) {
    if (message.isPrivate) {
      const asked = allowed.get(message.topic) ?? deps.authorizer.mayWrite(caller, message.topic, 'broadcast')
      allowed.set(message.topic, asked)
      if (!(await asked)) continue
    }
    deps.relay({ ...message, payload: wholeOf(message) }, cause)
  }
}

/** The message as members of both versions read it, and as the reference sends those of a batch. */
function wholeOf({ event, payload }: HttpBroadcast): BroadcastPayload {
  const text = `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload.bytes.toString()}}`
  return { isJson: true, bytes: Buffer.from(text) }
}

/** Sends one message. @throws Forbidden for a private one that the caller may not send */
export async function broadcastOne(
  deps: BroadcastDeps,
  caller: Caller,
  message: HttpBroadcast,
  cause: FrameCause,
): Promise<void> {
  if (message.payload.bytes.length > deps.payloadBytes)
    throw realtimeError('BadMessages', { details: { payload: ['Payload size exceeds tenant limit'] } })
  if (message.isPrivate && !(await deps.authorizer.mayWrite(caller, message.topic, 'broadcast')))
    throw realtimeError('Forbidden')
  deps.publish(message, cause)
}

type FieldErrors = Record<string, readonly string[]>

function readMessages(body: unknown, { payloadBytes, batchMessages }: BroadcastDeps): readonly HttpBroadcast[] {
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
  const bytes = jsonBytes(payload ?? {})
  if (bytes === null) errors.payload = ['is nested too deeply']
  else if (bytes.length > payloadBytes) errors.payload = ['Payload size exceeds tenant limit']
  if (Object.keys(errors).length > 0 || topicText === null || eventText === null || bytes === null) return { errors }
  const message = {
    topic: withoutPrefix(topicText),
    event: eventText,
    payload: { isJson: true, bytes },
    isPrivate: isPrivate === true,
  }
  return { message, errors }
}

/** Null for what is nested more deeply than it can be written. */
function jsonBytes(payload: unknown): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(payload))
  } catch {
    return null
  }
}

const withoutPrefix = (topic: string): string =>
  topic.startsWith(topicPrefix) ? topic.slice(topicPrefix.length) : topic
