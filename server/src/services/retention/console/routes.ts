import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { RetentionDeps } from '../deps.ts'
import type { HeldSubject, Holds } from '../holds/holds.ts'
import type { HoldRow } from '../holds/store.ts'
import { Hold, HoldBody, HoldEnd, type HoldSubject, KeptLonger } from './schemas.ts'

const tags = ['retention']
const mostHolds = 1000

const listRoute = {
  operationId: 'keptLonger',
  tags,
  summary: 'What is kept longer than its days and budgets: by a rule, and by legal holds',
  response: { 200: KeptLonger },
}
const placeRoute = {
  operationId: 'placeHold',
  tags,
  summary: 'Place a legal hold',
  description: 'What it keeps is removed by no lifetime, budget or erasure until the hold ends.',
  body: HoldBody,
  response: { 201: Hold },
}
const endRoute = {
  operationId: 'endHold',
  tags,
  summary: 'End a legal hold: what it kept goes with the next clean-up, where it is past its days',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  body: HoldEnd,
  response: { 200: Hold },
}

interface HoldRoutesDeps extends Pick<RetentionDeps, 'settings' | 'newId'> {
  readonly holds: Pick<Holds, 'list' | 'find' | 'place' | 'end' | 'isOpen'>
  readonly actions: OperatorActions
}

/** Legal holds in the console: all but viewers see them, owners place and end them. */
export function holdRoutes({ holds, actions, settings, newId }: HoldRoutesDeps): FastifyPluginAsyncTypebox {
  const render = (hold: HoldRow): Hold => ({
    ...{ id: hold.id, subject: subjectOf(hold), reason: hold.reason, createdBy: hold.createdBy },
    createdAt: hold.createdAt.toISOString(),
    until: hold.until?.toISOString() ?? null,
    isOpen: holds.isOpen(hold),
    endedAt: hold.endedAt?.toISOString() ?? null,
    ...{ endedBy: hold.endedBy, endReason: hold.endReason },
  })
  return async (app) => {
    app.get('/retention', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      const { sessionsWithErrorsDays } = settings
      return { sessionsWithErrorsDays, holds: (await holds.list(mostHolds)).map(render) }
    })

    app.post('/retention/holds', { schema: placeRoute }, async (request, reply) => {
      const { subject, reason, until } = request.body
      const id = newId()
      const wish = { subject: readSubject(subject), reason, until: until === null ? null : new Date(until) }
      const action = { name: 'hold.place', target: `${wordsOf(subject)} (hold ${id})`, right: 'protect' } as const
      const place = () => holds.place(id, wish, operatorOf(request))
      return reply.code(201).send(render(await actions.run(request, { ...action, about: aboutOf(subject) }, place)))
    })

    app.post('/retention/holds/:id/end', { schema: endRoute }, async (request) => {
      actions.check(request, 'protect')
      const { id } = request.params
      const subject = subjectOf(await holds.find(id))
      const action = { name: 'hold.end', target: `${wordsOf(subject)} (hold ${id})`, about: aboutOf(subject) }
      const end = () => holds.end(id, operatorOf(request), request.body.reason)
      return render(await actions.run(request, { ...action, right: 'protect', needsProof: true }, end))
    })
  }
}

function readSubject(subject: HoldSubject): HeldSubject {
  switch (subject.kind) {
    case 'session':
      return { kind: 'session', sessionId: subject.id }
    case 'span':
      return { kind: 'span', from: new Date(subject.from), to: subject.to === null ? null : new Date(subject.to) }
    case 'person':
      return { kind: 'person', key: { personId: subject.id } }
    case 'user':
      return { kind: 'person', key: { userId: subject.id } }
  }
}

function subjectOf({ kind, sessionId, personId, userId, fromAt, toAt }: HoldRow): HoldSubject {
  if (kind === 'session') return { kind, id: sessionId ?? '' }
  if (kind === 'span') return { kind, from: fromAt?.toISOString() ?? '', to: toAt?.toISOString() ?? null }
  return personId === null ? { kind: 'user', id: userId ?? '' } : { kind, id: personId }
}

const wordsOf = (subject: HoldSubject): string =>
  subject.kind === 'span' ? `${subject.from} to ${subject.to ?? 'all that comes'}` : `${subject.kind} ${subject.id}`

const aboutOf = (subject: HoldSubject): readonly string[] =>
  subject.kind === 'person' || subject.kind === 'user' ? [subject.id] : []
