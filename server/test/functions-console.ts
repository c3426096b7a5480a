import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { ServiceError } from '../src/ground/errors/service-error.ts'
import type { FunctionsApp } from './functions-app.ts'

/** The console's routes of functions, for one operator who is signed in. */
export interface FunctionsConsole {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string
  send(
    method: string,
    path: string,
    body?: object | FormData,
    // The shapes are the API's; the tests assert what they use.
  ): Promise<{ readonly status: number; readonly body: ReturnType<typeof JSON.parse> }>
  /** Deploys a function of one file. */
  deploy(name: string, source: string, metadata?: object): ReturnType<FunctionsConsole['send']>
  close(): Promise<unknown>
}

/** Serves the console's routes of functions on a free port. */
export async function openFunctionsConsole(app: FunctionsApp, routes = app.console): Promise<FunctionsConsole> {
  const pages = Fastify({ schemaController: schemaCompilers })
  pages.decorateRequest('operator', null)
  pages.addHook('onRequest', async (request) => request.setDecorator('operator', { email: 'ann@example.com' }))
  pages.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError
      ? reply.code(error.status).send({ code: error.code, message: error.message, details: error.details })
      : reply.send(error),
  )
  await pages.register(routes)
  await pages.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}`
  const send: FunctionsConsole['send'] = async (method, path, body) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${address}${path}`, {
      method,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, body: text === '' ? null : isJson ? JSON.parse(text) : text }
  }
  return {
    address,
    send,
    deploy: (name, source, metadata = {}) =>
      send(
        'POST',
        `/functions/${name}/versions`,
        deployment({ [entryOf(name)]: source }, { entrypoint_path: entryOf(name), ...metadata }),
      ),
    close: () => pages.close(),
  }
}

/** Where a function begins. */
export const entryOf = (name: string): string => `supabase/functions/${name}/index.ts`

/** A deployment as the Supabase CLI writes it. */
export function deployment(sources: Readonly<Record<string, string>>, metadata: object): FormData {
  const made = new FormData()
  made.append('metadata', JSON.stringify(metadata))
  for (const [path, text] of Object.entries(sources)) made.append('file', new Blob([text]), path)
  return made
}
