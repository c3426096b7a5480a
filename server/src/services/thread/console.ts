import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { untilClosed } from '../../ground/http/until-closed.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { WantedMessages } from '../../ground/model/recording.ts'
import { compressAnswers } from './compress.ts'
import { viewOf } from './console-rights.ts'
import { functionRoutes } from './functions-console.ts'
import { overviewRoutes } from './overview-console.ts'
import { requestRoutes } from './requests-console.ts'
import { Change } from './schemas/change.ts'
import { RowHistory, TableHistory } from './schemas/history.ts'
import { PersonLine, personMomentKinds } from './schemas/person-line.ts'
import { RequestSummary } from './schemas/request.ts'
import { Send } from './schemas/send.ts'
import { SessionDetail } from './schemas/session.ts'
import { SessionList, SessionListQuery } from './schemas/session-list.ts'
import { SessionOutline } from './schemas/session-outline.ts'
import { serverLogRoutes } from './server-logs-console.ts'
import type { Thread } from './thread.ts'

const SessionId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) })
const tags = ['thread']

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

/**
 * The thread's part of the console's API: sessions, requests, the history of a row and of a table, the overview.
 * To be mounted under `/console/api`, behind the operators' guard. Analysts see no value of a row.
 */
export function threadConsole(thread: Thread, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The types are checked by the compiler; a serialiser made of these unions would validate every value again.
    app.setSerializerCompiler(() => (data) => JSON.stringify(data))
    compressAnswers(app)
    overviewRoutes(app, thread, actions)
    sessionRoutes(app, thread, actions)
    recordingRoutes(app, thread, actions)
    pictureRoute(app, thread, actions)
    requestRoutes(app, thread, actions)
    historyRoute(app, thread, actions)
    changesRoute(app, thread, actions)
    personLineRoute(app, thread, actions)
    functionRoutes(app, thread, actions)
    serverLogRoutes(app, thread, actions)
  }
}

/** The part of it that the command line uses: what functions logged. */
export function threadCommandLine(thread: Thread, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.setSerializerCompiler(() => (data) => JSON.stringify(data))
    functionRoutes(app, thread, actions)
  }
}

function sessionRoutes(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const sessions = {
    operationId: 'sessions',
    tags,
    summary: 'Sessions, newest first or by another order',
    querystring: SessionListQuery,
    response: { 200: SessionList },
  }
  app.get('/sessions', { schema: sessions }, (request) => {
    const { values: showsKeys } = viewOf(actions, request)
    return thread.sessions({ ...request.query, showsKeys })
  })

  const session = {
    operationId: 'session',
    tags,
    summary: 'One session with its timeline',
    params: SessionId,
    querystring: Type.Object({
      from: Type.Integer({ minimum: 0, default: 0, description: 'Only moments from then on, in ms of the session' }),
    }),
    response: { 200: SessionDetail },
  }
  app.get('/sessions/:id', { schema: session }, async (request) => {
    const view = viewOf(actions, request)
    const { id } = request.params
    const detail = await thread.session(id, request.query.from)
    const { person, people } = detail.session
    const about = [person, ...people.map((part) => part.person)].flatMap((each) => [
      each?.personId ?? null,
      each?.userId ?? null,
    ])
    await actions.look(request, { name: 'session.open', target: `session ${id}`, about })
    return view.session(detail)
  })
}

function recordingRoutes(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const outline = {
    operationId: 'sessionOutline',
    tags,
    summary: 'One session without its timeline, and what its recording’s messages are: no recording is read for it',
    params: SessionId,
    response: { 200: SessionOutline },
  }
  app.get('/sessions/:id/outline', { schema: outline }, (request) => {
    actions.check(request, 'look')
    return thread.outline(request.params.id)
  })

  const recording = {
    operationId: 'sessionRecording',
    tags,
    summary: 'A session’s recording, or a stretch of it: one RecordingLine a line, by window and time',
    params: SessionId,
    querystring: RecordingQuery,
    produces: ['application/x-ndjson'],
  }
  app.get('/sessions/:id/recording', { schema: recording }, async (request, reply) => {
    actions.check(request, 'look')
    const messages = await thread.recording(request.params.id, wantedOf(request.query), untilClosed(reply.raw))
    return reply.type('application/x-ndjson').send(Readable.from(asLines(messages), { highWaterMark: 1 }))
  })
}

/** The furthest instant that a date can name. */
const furthestMs = 8.64e15
const StretchMs = Type.Integer({ minimum: 0, maximum: furthestMs })
/** A browser's clock may be set to before 1970. */
const AnyMs = Type.Integer({ minimum: -furthestMs, maximum: furthestMs })

const RecordingQuery = Type.Object({
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'Only what arrived then or later, ms since 1970' })),
  known: Type.Optional(
    Type.String({
      maxLength: 13 * 200,
      pattern: '^([0-9a-f]{12}(,[0-9a-f]{12})*)?$',
      description: 'The `tail`s of those that are known, by comma; they are left out',
    }),
  ),
  from: Type.Optional({
    ...StretchMs,
    description: 'Only messages that begin then or later, in ms after the recording’s first one began',
  }),
  to: Type.Optional({ ...StretchMs, description: 'Only messages that begin before it, in ms likewise' }),
  withPage: Type.Optional(
    Type.Boolean({
      description: 'Also what the picture at `from` is drawn from: each window’s messages since its last whole page',
    }),
  ),
  begun: Type.Optional({ ...AnyMs, description: 'When its first message began, as its outline has it' }),
  offset: Type.Optional({
    ...AnyMs,
    description:
      'With `begun`, the `offsetMs` of an earlier line: neither is looked up again, nor whether the session exists',
  }),
})

function wantedOf(query: Static<typeof RecordingQuery>): WantedMessages {
  const { since, known = '', from, to, withPage = false, begun, offset } = query
  return {
    clock: begun === undefined || offset === undefined ? undefined : { begunMs: begun, offsetMs: offset },
    news: since === undefined ? undefined : { since: new Date(since), known: known.split(',') },
    stretch:
      from === undefined && to === undefined ? undefined : { fromMs: from ?? 0, toMs: to ?? furthestMs, withPage },
  }
}

function pictureRoute(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const picture = {
    operationId: 'sessionPicture',
    tags,
    summary: 'The part of a session’s recording with which a picture of its first page begins: one RecordingLine',
    params: SessionId,
    produces: ['application/x-ndjson'],
  }
  app.get('/sessions/:id/picture', { schema: picture }, async (request, reply) => {
    actions.check(request, 'look')
    return reply.type('application/x-ndjson').send(`${await thread.picture(request.params.id)}\n`)
  })
}

function personLineRoute(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const line = {
    operationId: 'personLine',
    tags,
    summary: 'All that a person did, and what happened to them, newest first',
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    querystring: Type.Object({
      kinds: Type.Optional(
        Type.String({
          maxLength: 100,
          pattern: `^(${kindNames})(,(${kindNames}))*$`,
          description: 'By comma; all where none is named',
        }),
      ),
      before: Type.Optional(Type.String({ maxLength: 250 })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    }),
    response: { 200: PersonLine },
  }
  app.get('/people/:id/line', { schema: line }, async (request) => {
    const view = viewOf(actions, request)
    const { kinds, before = null, limit } = request.query
    const wanted = personMomentKinds.filter((kind) => kinds === undefined || kinds.split(',').includes(kind))
    return view.line(await thread.personLine({ personId: request.params.id, kinds: wanted, before, limit }))
  })
}

const kindNames = personMomentKinds.join('|')

function historyRoute(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const history = {
    operationId: 'rowHistory',
    tags,
    summary: 'A row’s changes, newest first, each with what made it',
    params: Type.Object({ schema: Type.String(), table: Type.String() }),
    querystring: Type.Object({
      key: Type.String({ description: 'JSON object: primary key columns to their text values' }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    }),
    response: { 200: RowHistory },
  }
  app.get('/data/:schema/:table/history', { schema: history }, (request) => {
    actions.check(request, 'read data')
    return thread.history({ ...request.params, key: request.query.key, limit: request.query.limit })
  })

  const tableHistory = {
    operationId: 'tableHistory',
    tags,
    summary: 'The changes of a table’s rows that have, or had, a value in a column, newest first',
    params: Type.Object({ schema: Type.String(), table: Type.String() }),
    querystring: Type.Object({
      column: Type.String({ minLength: 1, maxLength: 63 }),
      value: Type.String({ maxLength: 1024, description: 'Text' }),
      before: Type.Optional(Type.String({ pattern: '^[0-9A-F]{1,8}/[0-9A-F]{1,8}:[0-9]{1,9}$' })),
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    }),
    response: { 200: TableHistory },
  }
  app.get('/data/:schema/:table/changes', { schema: tableHistory }, (request) => {
    actions.check(request, 'read data')
    return thread.tableHistory({ ...request.params, ...request.query, before: request.query.before })
  })
}

function changesRoute(app: ConsoleApp, thread: Thread, actions: OperatorActions): void {
  const changes = {
    operationId: 'changesOf',
    tags,
    summary:
      'The rows that a request, or a run of a job, changed, what it asked to be sent, and the requests made for it',
    querystring: Type.Object({
      cause: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A request’s id, or the `causeId` of a run or of a message',
      }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 }),
    }),
    response: {
      200: Type.Object({
        changes: Type.Array(Change),
        more: Type.Boolean(),
        sends: Type.Array(Send),
        caused: Type.Array(RequestSummary, { description: 'Requests that were made for it' }),
      }),
    },
  }
  app.get('/changes', { schema: changes }, (request) => {
    actions.check(request, 'read data')
    return thread.changesOf(request.query.cause, request.query.limit)
  })
}

async function* asLines(messages: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const json of messages) {
    yield json
    yield '\n'
  }
}
