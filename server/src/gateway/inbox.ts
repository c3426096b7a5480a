import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify'

/** The development inbox on a port of its own, where a project's tests look for it. */
export async function createInboxGateway(inbox: FastifyPluginAsync, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  await app.register(inbox)
  return app
}
