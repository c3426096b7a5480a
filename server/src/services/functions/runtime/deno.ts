/** The part of Deno's API that the runtime uses, for the compiler: its own types would claim Node's globals. */
export interface DenoApi {
  readonly internal: symbol
  readonly env: {
    set(name: string, value: string): void
    delete(name: string): void
    toObject(): Record<string, string>
  }
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> }
  readonly stdout: { writeSync(data: Uint8Array): number }
  exit(code?: number): never
  memoryUsage(): {
    readonly rss: number
    readonly heapTotal: number
    readonly heapUsed: number
    readonly external: number
  }
  serve(...args: unknown[]): DenoServer
}

/** A client of `fetch`, with connections of its own. */
export type HttpClient = object

/** The part of Deno's API that connects. */
export interface NetworkApi {
  readonly errors: { readonly NotCapable: new (message: string) => Error }
  createHttpClient(options: object): HttpClient
  connect(options: object): Promise<unknown>
  connectTls(options: object): Promise<unknown>
  startTls(connection: unknown, options: object): Promise<unknown>
}

/** Members of Deno's global scope that Node's types do not have. */
export interface DenoGlobals {
  addEventListener(type: 'unhandledrejection', listener: (event: Event & { readonly reason: unknown }) => void): void
  addEventListener(type: 'error', listener: (event: Event & { readonly error: unknown }) => void): void
  dispatchEvent(event: Event): boolean
}

/** What `Deno.serve` returns. */
export interface DenoServer {
  readonly finished: Promise<void>
}

/** What a request handler of `Deno.serve` is given, and may return. */
export type Handler = (request: Request, info: unknown) => Response | Promise<Response>

type ConsoleMethods = Record<string, unknown>

/** Deno's own console, which formats values as Deno does, on a printer of ours. */
export type DenoConsole = new (print: (text: string, level: number) => void) => ConsoleMethods
