import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../ground/model/caller.ts'
import type { FrameCause } from '../../../ground/model/frame.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Authorizer } from '../caller/authorize.ts'
import { realtimeError } from '../errors.ts'
import type { BroadcastPayload } from '../wire/frames.ts'
import type { BroadcastLimits, HttpBroadcast } from './messages.ts'

/** The dependencies of the broadcast API. */
export interface BroadcastDeps extends BroadcastLimits {
  readonly authorizer: Authorizer
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

/** Sends messages; private ones that the caller may not send are left out in silence (realtime §4). */
export async function broadcastMany(
  deps: BroadcastDeps,
  caller: Caller,
  messages: readonly HttpBroadcast[],
  cause: FrameCause,
): Promise<void> {
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
