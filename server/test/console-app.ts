import Fastify, { type FastifyPluginAsync } from 'fastify'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { ServiceError } from '../src/ground/errors/service-error.ts'

/** Serves one room's part of the console's API without its guard, for tests of its routes. */
export async function consoleApp(part: FastifyPluginAsync) {
  const app = Fastify({ schemaController: schemaCompilers })
  app.decorateRequest('operator', null)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError
      ? reply.code(error.status).send({ code: error.code, message: error.message })
      : reply.send(error),
  )
  await app.register(part)
  return async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object, headers = {}) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
}
