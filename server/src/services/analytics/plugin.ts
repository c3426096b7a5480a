import type { FastifyPluginAsync } from 'fastify'
import type { Flags } from '../../ground/flags/flags.ts'
import { noSurveys, type Surveys } from '../../ground/surveys/surveys.ts'
import type { Analytics } from './analytics.ts'
import { captureRoutes, consentRoutes } from './edge/capture-routes.ts'
import { allowEveryOrigin } from './edge/cors.ts'
import { sendError } from './edge/errors.ts'
import { type ConfigOf, flagRoutes } from './edge/flag-routes.ts'
import { scriptRoutes } from './edge/script-routes.ts'
import { analyticsError } from './errors.ts'
import { noFlags } from './flags/no-flags.ts'
import { renderRemoteConfig } from './flags/remote-config.ts'

/**
 * Everything that posthog-js, posthog-node and their kin call, under one prefix.
 *
 * @param flags   those of the project; it has none when absent
 * @param surveys those of the project; it has none when absent
 */
export function capturePlugin(
  { edge }: Pick<Analytics, 'edge'>,
  flags: Flags = noFlags,
  surveys: Surveys = noSurveys,
): FastifyPluginAsync {
  return async (app) => {
    // Gzip travels as text/plain, base64 as a form, JSON as anything: the bytes decide, so all come as bytes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setErrorHandler(sendError)
    allowEveryOrigin(app)
    captureRoutes(app, edge)
    consentRoutes(app, edge)
    const configOf: ConfigOf = async (token) => {
      const [hasFeatureFlags, hasSurveys, capture] = await Promise.all([
        flags.any(),
        surveys.any(),
        edge.captureSettings(),
      ])
      const suppressionRules = edge.suppressionRules()
      return renderRemoteConfig(token, edge.settings, { hasFeatureFlags, hasSurveys, suppressionRules, capture })
    }
    flagRoutes(app, edge, { flags, surveys }, configOf)
    scriptRoutes(app, edge, configOf)
    // Not an HTML page, nor the application's own: a script tag would run it.
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/*',
      handler: async () => {
        throw analyticsError('CLEW_INGEST_NOT_FOUND')
      },
    })
  }
}
