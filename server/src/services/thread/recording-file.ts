import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { untilClosed } from '../../ground/http/until-closed.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import {
  momentLineStart,
  type RecordingFileEnd,
  type RecordingFileHead,
  recordingFileVersion,
} from '../../ground/model/recording.ts'
import type { SharedView } from '../../ground/model/session.ts'
import { shareSession } from './answer/shared-view.ts'
import { viewOf } from './console-rights.ts'
import { threadError } from './errors.ts'
import type { SessionDetail } from './schemas/session.ts'
import type { Thread } from './thread.ts'
import { cutDetail } from './timeline/clip/cut-detail.ts'
import type { Span } from './timeline/rrweb.ts'

const route = {
  operationId: 'recordingFile',
  tags: ['thread'],
  summary: 'A session’s recording with its timeline as a file, which the console opens and another instance imports',
  description: 'Lines of JSON packed by gzip. The timeline is as the one who asks may see it.',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
  querystring: Type.Object({
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'A clip: from so many milliseconds of the session' })),
    to: Type.Optional(Type.Integer({ minimum: 1, description: 'to so many, which is more' })),
  }),
  produces: ['application/gzip'],
}

/** The recording of a session as a file: for the console, and for the command line with an access token. */
export function recordingFileRoute(
  thread: Pick<Thread, 'session' | 'recordingFile'>,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/sessions/:id/file', { schema: route, config: { acceptsTokens: true } }, async (request, reply) => {
      const { id } = request.params
      const view = viewOf(actions, request)
      const span = spanOf(request.query)
      const action = { name: 'recording.export', target: `session ${id}${describeSpan(span)}`, right: 'look' as const }
      const lines = await actions.run(request, action, async () => {
        const detail = view.session(await thread.session(id))
        const messages = await thread.recordingFile(id, untilClosed(reply.raw), span && clipOf(detail, span))
        return renderRecordingFile(
          span === null ? detail : cutDetail(detail, { ...span, toMs: Math.min(span.toMs, detail.session.durationMs) }),
          messages,
          {
            values: view.values,
            exportedAt: new Date().toISOString(),
          },
        )
      })
      // A reader who has left ends both.
      const file = pipeline(Readable.from(lines, { highWaterMark: 1 }), createGzip(), () => undefined)
      return reply
        .type('application/gzip')
        .header('content-disposition', `attachment; filename="${fileNameOf(id)}"`)
        .send(file)
    })
  }
}

/**
 * The lines of a session's file as a link shows it.
 *
 * @throws CLEW_THREAD_SESSION_NOT_FOUND
 */
export async function sharedFile(
  thread: Pick<Thread, 'session' | 'recording'>,
  id: string,
  view: SharedView,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const detail = shareSession(await thread.session(id), view)
  // Not as lines of a file: these name the browser's id and what else is for an import.
  const messages = detail.session.hasRecording ? await thread.recording(id, {}, signal) : []
  return renderRecordingFile(detail, messages, { values: view.values, exportedAt: new Date().toISOString() })
}

/** The stretch that is asked for, null for all of it. @throws CLEW_THREAD_CLIP */
function spanOf({ from, to }: { readonly from?: number; readonly to?: number }): Span | null {
  if (from === undefined && to === undefined) return null
  const span = { fromMs: from ?? 0, toMs: to ?? Number.MAX_SAFE_INTEGER }
  if (span.toMs <= span.fromMs) throw threadError('CLEW_THREAD_CLIP')
  return span
}

/** A stretch of a session on the server's clock. @throws CLEW_THREAD_CLIP where the session does not reach so far */
function clipOf({ session: { startedAt, durationMs } }: SessionDetail, { fromMs, toMs }: Span): Span {
  if (fromMs >= durationMs) throw threadError('CLEW_THREAD_CLIP')
  const startMs = Date.parse(startedAt)
  return { fromMs: startMs + fromMs, toMs: startMs + Math.min(toMs, durationMs) }
}

/** ` from 40.8 s to 71 s`; nothing for all of a session. */
const describeSpan = (span: Span | null): string =>
  span === null
    ? ''
    : ` from ${span.fromMs / 1000} s${span.toMs === Number.MAX_SAFE_INTEGER ? '' : ` to ${span.toMs / 1000} s`}`

/** Ids are a client's: letters, digits, `-` and `_` are kept. */
const fileNameOf = (id: string): string => `recording-${id.replaceAll(/[^\w-]/g, '_')}.clew.gz`

/** The lines of a file, each with its line break. */
async function* renderRecordingFile(
  { moments, ...detail }: SessionDetail,
  messages: AsyncIterable<string> | Iterable<string>,
  facts: Pick<RecordingFileHead, 'values' | 'exportedAt'>,
): AsyncGenerator<string> {
  const head: RecordingFileHead = {
    clewRecording: recordingFileVersion,
    sessionId: detail.session.id,
    ...facts,
    detail,
  }
  yield `${JSON.stringify(head)}\n`
  for (const moment of moments) yield `${momentLineStart}${JSON.stringify(moment)}}\n`
  let count = 0
  for await (const line of messages) {
    count += 1
    yield `${line}\n`
  }
  const end: RecordingFileEnd = { end: { moments: moments.length, messages: count } }
  yield `${JSON.stringify(end)}\n`
}
