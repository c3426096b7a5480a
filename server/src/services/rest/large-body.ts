import { movable, TaskEnded, TasksFull, type Threads, taskModule } from '../../engines/threads/index.ts'
import { restError } from './errors.ts'
import type { Payload } from './parse/body/body.ts'
import type { BodyTask, BodyTaskValue } from './parse/body/body-task.ts'
import { splitQueryString } from './parse/query/query-string.ts'
import { bodyForm, parseHead, type RawRequest, readsBody } from './parse/request.ts'
import type { RestSettings } from './settings.ts'

/** What is read on the event loop: some 10 ms at worst, whatever it holds. */
const inlineBytes = 32 * 1024
const task = taskModule('./parse/body/body-task', import.meta.url)

/** Whether a body is so large that reading it would hold the event loop. */
export const isLargeBody = ({ body }: RawRequest): boolean => body.length > inlineBytes

/**
 * Reads a large body in a thread.
 *
 * @returns the request with its payload
 * @throws  what reading a request does, and CLEW_REST_BUSY
 */
export async function readLargeBody(
  raw: RawRequest,
  settings: RestSettings,
  jsonDepth: number,
  threads: Pick<Threads, 'run'>,
): Promise<RawRequest> {
  const head = parseHead(raw, settings, splitQueryString(raw.query))
  if (!readsBody(head.action)) return raw
  const body = movable(raw.body)
  const input: BodyTask = { body, form: bodyForm(head, jsonDepth) }
  const value = await threads
    .run<BodyTaskValue>({ module: task, input, transfer: [body], sizeBytes: body.byteLength })
    .catch((cause: unknown) => {
      if (cause instanceof TaskEnded && cause.isOutOfMemory) throw restError('CLEW_REST_BODY_TOO_LARGE', { cause })
      if (cause instanceof TasksFull || cause instanceof TaskEnded) throw restError('CLEW_REST_BUSY', { cause })
      throw cause
    })
  return { ...raw, payload: payloadOf(value) }
}

function payloadOf(value: BodyTaskValue): Payload {
  switch (value.kind) {
    case 'json':
      return { ...value, text: Buffer.from(value.text).toString('utf8') }
    case 'raw':
      return { kind: 'raw', bytes: Buffer.from(value.bytes) }
    case 'form':
      return value
    default:
      return value satisfies never
  }
}
