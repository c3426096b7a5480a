import { sendGuarded } from '../../../engines/outbound/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { OwnAddress } from '../../../ground/http/own-address.ts'
import type { Traces } from '../../../ground/http/trace.ts'
import type { CallOutcome, MessageCall } from './options.ts'

export interface FunctionCallDeps {
  readonly own: OwnAddress
  /** As it is now: keys may be rotated. */
  readonly serviceRoleKey: () => string
  readonly traces: Pick<Traces, 'headersOf'>
}

const shownBytes = 2_000

/** Calls a function as the project itself: it is told by its caller's role that no user did. */
export function createFunctionCall({ own, serviceRoleKey, traces }: FunctionCallDeps) {
  return async ({ functionName, body, causeId, signal }: MessageCall): Promise<CallOutcome> => {
    const key = serviceRoleKey()
    const headers = {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': 'Clew queues',
      ...traces.headersOf(causeId),
    }
    try {
      // The instance's certificate may be self-signed, or for its public name.
      const request = { method: 'POST', headers, body, signal, rejectUnauthorized: false }
      const answer = await sendGuarded(
        { ...request, url: `${own.url}/functions/v1/${functionName}` },
        { reach: 'anywhere', allowsPlain: true },
      )
      let text = ''
      for await (const chunk of answer as AsyncIterable<Buffer>) if (text.length < shownBytes) text += chunk.toString()
      return { status: answer.statusCode ?? null, text }
    } catch (error) {
      return { status: null, text: signal.aborted ? 'The function did not answer in time.' : messageOf(error) }
    }
  }
}
