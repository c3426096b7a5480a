import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { objectOf, textOf } from '../../../ground/json/object.ts'
import type { AnalyticsEdge } from '../analytics.ts'
import { decodeBody } from '../capture/decode.ts'
import { bearerOf } from '../capture/v1.ts'
import { analyticsError } from '../errors.ts'
import { findDistinctId } from '../event/event.ts'
import { encodedBody, header, queryParameter, senderOf } from './request.ts'

/** Paths that take events in every envelope: today's, and those of older and hand-written clients. */
const eventPaths = ['/e', '/i/v0/e', '/capture', '/track', '/batch', '/i/v0/ai/batch']
/** A path of older clients, for what is known of a person. */
const engagePaths = ['/engage']
const recordingPaths = ['/s']

/** Both forms of a path: clients send it with and without a slash at its end. */
export const withSlash = (path: string): readonly string[] => [path, `${path}/`]

/** Both forms of these paths and of the one that the settings name, each once. */
const pathsWith = (paths: readonly string[], named: string): ReadonlySet<string> =>
  new Set([...paths, named.slice(0, -1)].flatMap(withSlash))

const tokenOfQuery = (request: FastifyRequest): string | null =>
  queryParameter(request, 'token') ?? queryParameter(request, 'api_key')

/** The routes that take events and recordings. */
export function captureRoutes(app: FastifyInstance, edge: AnalyticsEdge): void {
  const { capture, settings, now } = edge

  /** Before a byte of the body is read: a body with an unknown token is not worth unpacking. */
  const rejectUnknownToken: onRequestHookHandler = (request, _reply, done) => {
    const token = tokenOfQuery(request)
    if (token !== null && !edge.isToken(token)) done(analyticsError('CLEW_INGEST_TOKEN'))
    else done()
  }
  const rejectUnknownBearer = async (request: FastifyRequest): Promise<void> => {
    const token = bearerOf(header(request, 'authorization'))
    if (token === null || !edge.isToken(token)) throw analyticsError('CLEW_INGEST_TOKEN')
  }

  const take =
    (kind: 'events' | 'engage' | 'recordings') =>
    (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      capture
        .take({
          kind,
          encoded: encodedBody(request),
          query: {
            token: tokenOfQuery(request),
            sentAt: queryParameter(request, 'sent_at') ?? queryParameter(request, '_'),
          },
          v1: null,
          sender: senderOf(request, now),
        })
        .then(() => {
          // Not awaited: an awaited reply listens to its stream until the end.
          if (queryParameter(request, 'beacon') === '1') reply.code(204).send()
          // posthog-js sends every body again whose answer is not exactly 200 (analytics §2, answers).
          else reply.code(200).type('application/json').send('{"status":"Ok"}')
        })

  const takeEvents = (urls: Iterable<string>, kind: 'events' | 'engage'): void => {
    for (const url of urls) {
      app.post(url, { bodyLimit: settings.maxBodyBytes, onRequest: rejectUnknownToken }, take(kind))
      app.get(url, { onRequest: rejectUnknownToken }, take(kind))
    }
  }
  takeEvents(pathsWith(eventPaths, settings.eventsPath), 'events')
  takeEvents(engagePaths.flatMap(withSlash), 'engage')
  for (const url of pathsWith(recordingPaths, settings.recordingsPath)) {
    app.post(url, { bodyLimit: settings.maxRecordingBodyBytes, onRequest: rejectUnknownToken }, take('recordings'))
  }
  for (const url of withSlash('/i/v1/analytics/events')) {
    app.post(url, { bodyLimit: settings.maxBodyBytes, onRequest: rejectUnknownBearer }, async (request, reply) => {
      const { results } = await capture.take({
        kind: 'v1',
        encoded: encodedBody(request),
        query: { token: null, sentAt: null },
        v1: {
          authorization: header(request, 'authorization'),
          sdkInfo: header(request, 'posthog-sdk-info'),
          requestTimestamp: header(request, 'posthog-request-timestamp'),
        },
        sender: senderOf(request, now),
      })
      return reply.type('application/json; charset=utf-8').send(results)
    })
  }
}

/** A visitor's decision about what is stored of them, by the page's own words (analytics §11). */
export function consentRoutes(app: FastifyInstance, edge: AnalyticsEdge): void {
  const { settings, jsonDepth } = edge
  for (const url of withSlash('/consent')) {
    app.post(url, { bodyLimit: settings.maxFlagsBodyBytes }, async (request, reply) => {
      const limits = { limitBytes: settings.maxFlagsBodyBytes, jsonDepth }
      const body = objectOf((await decodeBody(encodedBody(request), limits)).value) ?? {}
      const token = textOf(body.token) ?? textOf(body.api_key) ?? tokenOfQuery(request)
      if (token === null || !edge.isToken(token)) throw analyticsError('CLEW_INGEST_TOKEN')
      const distinctId = findDistinctId(body, {})
      if (distinctId === null) throw analyticsError('CLEW_INGEST_NO_DISTINCT_ID')
      const { granted } = body
      if (typeof granted !== 'boolean') throw analyticsError('CLEW_INGEST_CONSENT')
      await edge.decide({ distinctId, granted, atMs: edge.now().getTime() })
      return reply.type('application/json').send('{"status":"Ok"}')
    })
  }
}
