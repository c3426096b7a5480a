import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Operators, visitorOf } from '../operators.ts'
import type { CurrentSession } from '../sessions/store.ts'

const tags = ['access']
const Instant = Type.String({ format: 'date-time' })
const Nullable = <Shape extends Parameters<typeof Type.Union>[0][number]>(shape: Shape) =>
  Type.Union([shape, Type.Null()])
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]+$' })
const Short = Type.String({ minLength: 1, maxLength: 255 })
const Secret = Type.String({ minLength: 1, maxLength: 1024 })
const Options = Type.Object({}, { additionalProperties: true })
const Ceremony = Type.Object({ ticket: Type.String(), options: Options })
const Codes = Type.Array(Type.String())
const NewFactor = Type.Object({ recoveryCodes: Nullable(Codes) })
const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })

const AccessShape = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      userAgent: Type.String(),
      address: Type.String(),
      createdAt: Instant,
      lastSeenAt: Instant,
      isCurrent: Type.Boolean(),
    }),
  ),
  totpSince: Nullable(Instant),
  passkeys: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), createdAt: Instant, lastUsedAt: Nullable(Instant) }),
  ),
  recoveryCodesLeft: Type.Integer(),
})

/** How the signed-in operator gets in: sessions and second factors. A guarded part of the console's API. */
export function accessPlugin(operators: Operators): FastifyPluginAsyncTypebox {
  const { access } = operators
  const current = async (request: FastifyRequest): Promise<CurrentSession> =>
    (await operators.authenticate(visitorOf(request))).session
  return async (app) => {
    app.get(
      '/access',
      {
        schema: {
          operationId: 'getAccess',
          tags,
          summary: 'Sessions and second factors',
          response: { 200: AccessShape },
        },
      },
      async (request) => {
        const session = await current(request)
        const { totp, passkeys, recoveryCodes } = await access.factors(session)
        return {
          sessions: (await access.sessions(session)).map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
            id,
            userAgent,
            address,
            createdAt: createdAt.toISOString(),
            lastSeenAt: lastSeenAt.toISOString(),
            isCurrent: id === session.id,
          })),
          totpSince: totp?.confirmedAt?.toISOString() ?? null,
          passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
            id,
            name,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          })),
          recoveryCodesLeft: recoveryCodes,
        }
      },
    )
    app.delete(
      '/access/sessions/:id',
      {
        schema: {
          operationId: 'endSession',
          tags,
          summary: 'End one session',
          params: Id,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.endSession(await current(request), request.params.id)
        return reply.code(204).send(null)
      },
    )
    app.delete(
      '/access/sessions',
      {
        schema: {
          operationId: 'endOtherSessions',
          tags,
          summary: 'End every other session',
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.endOtherSessions(await current(request))
        return reply.code(204).send(null)
      },
    )
    app.post(
      '/access/proof/options',
      {
        schema: {
          operationId: 'askForProof',
          tags,
          summary: 'What a passkey has to sign to prove that it is you',
          response: { 200: Type.Object({ ceremony: Nullable(Ceremony) }) },
        },
      },
      async (request) => ({ ceremony: await access.askForProof(await current(request)) }),
    )
    app.post(
      '/access/proof',
      {
        schema: {
          operationId: 'prove',
          tags,
          summary: 'Prove that it is you, for ten minutes: a factor, or the password where there is none',
          body: Type.Object({
            password: Type.Optional(Secret),
            code: Type.Optional(Short),
            ticket: Type.Optional(Secret),
            credential: Type.Optional(Type.Unknown()),
          }),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.prove(await current(request), request.body)
        return reply.code(204).send(null)
      },
    )
    app.post(
      '/access/totp',
      {
        schema: {
          operationId: 'beginTotp',
          tags,
          summary: 'Begin to add an authenticator app',
          response: { 200: Type.Object({ secret: Type.String(), uri: Type.String(), qrCode: Type.String() }) },
        },
      },
      async (request) => access.beginTotp(await current(request)),
    )
    app.post(
      '/access/totp/confirm',
      {
        schema: {
          operationId: 'confirmTotp',
          tags,
          summary: 'Add the app, by its first code',
          body: Type.Object({ code: Short }),
          response: { 200: NewFactor },
        },
      },
      async (request) => shown(await access.confirmTotp(await current(request), request.body.code)),
    )
    app.delete(
      '/access/totp',
      {
        schema: {
          operationId: 'removeTotp',
          tags,
          summary: 'Remove the authenticator app',
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.removeTotp(await current(request))
        return reply.code(204).send(null)
      },
    )
    app.post(
      '/access/passkeys/options',
      { schema: { operationId: 'beginPasskey', tags, summary: 'Begin to add a passkey', response: { 200: Ceremony } } },
      async (request) => access.beginPasskey(await current(request)),
    )
    app.post(
      '/access/passkeys',
      {
        schema: {
          operationId: 'addPasskey',
          tags,
          summary: 'Add the passkey that the browser made',
          body: Type.Object({ ticket: Secret, credential: Type.Unknown(), name: Name }),
          response: { 201: NewFactor },
        },
      },
      async (request, reply) =>
        reply.code(201).send(shown(await access.addPasskey(await current(request), request.body))),
    )
    app.patch(
      '/access/passkeys/:id',
      {
        schema: {
          operationId: 'renamePasskey',
          tags,
          summary: 'Call a passkey something else',
          params: Id,
          body: Type.Object({ name: Name }),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.renamePasskey(await current(request), request.params.id, request.body.name)
        return reply.code(204).send(null)
      },
    )
    app.delete(
      '/access/passkeys/:id',
      {
        schema: {
          operationId: 'removePasskey',
          tags,
          summary: 'Remove a passkey',
          params: Id,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await access.removePasskey(await current(request), request.params.id)
        return reply.code(204).send(null)
      },
    )
    app.post(
      '/access/recovery-codes',
      {
        schema: {
          operationId: 'renewRecoveryCodes',
          tags,
          summary: 'New recovery codes in place of the earlier ones',
          response: { 200: Type.Object({ recoveryCodes: Codes }) },
        },
      },
      async (request) => ({ recoveryCodes: [...(await access.renewRecoveryCodes(await current(request)))] }),
    )
  }
}

const shown = (codes: readonly string[] | null) => ({ recoveryCodes: codes === null ? null : [...codes] })
