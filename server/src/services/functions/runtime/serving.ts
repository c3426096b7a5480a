import type { DenoServer, Handler } from './deno.ts'

/** What serving needs of the runtime. */
export interface ServingDeps {
  /** Path of the Unix socket to listen on. */
  readonly socket: string
  /** Origin of the API. */
  readonly origin: string
  readonly originalServe: (...args: unknown[]) => DenoServer
  readonly listens: () => void
  /** Runs a handler for the request that a header `traceparent` names. */
  readonly inTrace: (trace: string, handle: () => Answer) => Answer
  /** What answers a request whose handler threw. */
  readonly failed: (error: unknown) => Response
}

type Answer = Response | Promise<Response>

/** `Deno.serve` in all its forms: on our socket, whatever port and host the function names. */
export interface Serving {
  readonly isServing: () => boolean
  readonly serve: (first: unknown, second?: unknown) => DenoServer
}

interface ServeOptions {
  readonly handler?: Handler
  readonly onError?: (error: unknown) => Answer
}

/** Makes the `Deno.serve` of a function, which has one server. */
export function createServing({ socket, origin, originalServe, listens, inTrace, failed }: ServingDeps): Serving {
  let isServing = false
  const serve = (first: unknown, second?: unknown): DenoServer => {
    const options = (typeof first === 'function' ? second : first) as ServeOptions | undefined
    const handler = (typeof first === 'function' ? first : (second ?? options?.handler)) as Handler
    if (typeof handler !== 'function') throw new TypeError('No handler was provided to Deno.serve')
    if (isServing) throw new Error('Deno.serve was called a second time: a function has one server')
    isServing = true
    const keepUrl = givePublicUrls(new URL(origin).protocol.slice(0, -1))
    const { onError = failed } = options ?? {}
    const handle = (request: Request): Answer => {
      keepUrl(request)
      try {
        const answer = handler(request, new Connection(request))
        return answer instanceof Promise ? answer.catch(onError) : answer
      } catch (error) {
        return onError(error)
      }
    }
    return originalServe({ path: socket, onListen: listens }, (request: Request) =>
      inTrace(request.headers.get('traceparent') ?? '', () => handle(request)),
    )
  }
  return { isServing: () => isServing, serve }
}

/** What `Deno.serve` says of the connection: the client's, not the socket's. Made from the headers when it is read. */
class Connection {
  readonly completed: Promise<void> = Promise.resolve()
  readonly #headers: Headers

  constructor({ headers }: Request) {
    this.#headers = headers
  }

  get remoteAddr(): object {
    const hostname = headerOf(this.#headers, 'x-forwarded-for')?.split(',', 1)[0]?.trim() ?? '127.0.0.1'
    return { transport: 'tcp', hostname, port: 0 }
  }
}

/**
 * Gives requests the address that their client used: that of a Unix socket has a scheme of its own. Where it is read, since
 * many functions do not.
 *
 * @param protocol the API's, for requests that are over
 * @returns what keeps a request's address beyond its end
 */
function givePublicUrls(protocol: string): (request: Request) => void {
  const own = Object.getOwnPropertyDescriptor(Request.prototype, 'url')?.get as (this: Request) => string
  Object.defineProperty(Request.prototype, 'url', {
    configurable: true,
    enumerable: true,
    get(this: Request): string {
      const url = own.call(this)
      if (!url.startsWith(socketScheme)) return url
      return `${headerOf(this.headers, 'x-forwarded-proto') ?? protocol}:${url.slice(socketScheme.length)}`
    },
  })
  // Deno keeps what was read.
  return (request) => void own.call(request)
}

const socketScheme = 'http+unix:'

/** Deno has the headers of a request no longer once it is answered or its protocol was switched. */
function headerOf(headers: Headers, name: string): string | null {
  try {
    return headers.get(name)
  } catch {
    return null
  }
}
