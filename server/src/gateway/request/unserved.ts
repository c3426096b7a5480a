import type { FastifyPluginAsync } from 'fastify'
import { gatewayError } from '../errors.ts'
import { claimPrefix, notFound, readableAnywhere } from './not-found.ts'

interface UnservedService {
  readonly prefix: string
  readonly name: string
  /** The setting that turns it off; absent where Clew does not serve it at all. */
  readonly setting?: string
  /** The error body that the service's official client reads. */
  readonly body: (message: string) => object
  readonly headers?: Readonly<Record<string, string>>
}

/** Services of a Supabase project, with the form of their errors. */
const services: readonly UnservedService[] = [
  {
    prefix: '/rest/v1',
    name: 'REST',
    setting: '[rest] enabled',
    body: (message) => ({ code: 'NOT_IMPLEMENTED', details: null, hint: null, message }),
  },
  {
    prefix: '/auth/v1',
    name: 'Auth',
    setting: '[auth] enabled',
    body: (message) => ({ code: 501, error_code: 'not_implemented', msg: message }),
  },
  {
    prefix: '/storage/v1',
    name: 'Storage',
    setting: '[storage] enabled',
    body: (message) => ({ statusCode: '501', error: 'NotImplemented', message, code: 'NotImplemented' }),
  },
  {
    prefix: '/functions/v1',
    name: 'Functions',
    setting: '[functions] enabled',
    body: (message) => ({ code: 'NOT_IMPLEMENTED', message }),
    headers: { 'x-relay-error': 'true', 'access-control-expose-headers': 'x-relay-error, x-request-id' },
  },
  { prefix: '/realtime/v1', name: 'Realtime', setting: '[realtime] enabled', body: (error) => ({ error }) },
  { prefix: '/graphql/v1', name: 'GraphQL', body: (message) => ({ errors: [{ message }] }) },
]

/** What answers for the services that no mount serves: 501 in their own error form, so that a client shows the reason. */
export function unservedServices(
  served: readonly { readonly prefix: string }[],
): readonly { readonly prefix: string; readonly plugin: FastifyPluginAsync }[] {
  const prefixes = new Set(served.map(({ prefix }) => prefix))
  return services
    .filter(({ prefix }) => !prefixes.has(prefix))
    .map(({ prefix, name, setting, body, headers = {} }) => ({
      prefix,
      plugin: async (scope) => {
        scope.setNotFoundHandler((request, reply) => {
          if (request.method === 'OPTIONS') return notFound(request, reply)
          const { status, message } = gatewayError('CLEW_GATEWAY_NOT_SERVED', {
            message: messageOf(name, setting),
          })
          return reply.code(status).headers(readableAnywhere).headers(headers).send(body(message))
        })
        claimPrefix(scope)
      },
    }))
}

const messageOf = (name: string, setting: string | undefined): string =>
  setting === undefined
    ? `${name} ${name.endsWith('s') ? 'are' : 'is'} not served by this version of Clew.`
    : `${name} ${name.endsWith('s') ? 'are' : 'is'} turned off by the settings: ${setting} is false.`
