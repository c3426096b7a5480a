/** The first line that a worker reads: what it is to run. */
export interface StartMessage {
  /** URL of the function's entry file. */
  readonly entry: string
  /** Path of the Unix socket to listen on. */
  readonly socket: string
  /** The folder that the function sees as `/tmp`. */
  readonly temporary: string
  /** The folder of the function's own files. */
  readonly files: string
  /** The folder in which packages of npm are cached. */
  readonly packages: string
  /** Whether packages of npm may be among its modules. */
  readonly usesPackages: boolean
  /** All that `Deno.env` holds. */
  readonly environment: Readonly<Record<string, string>>
  /** The API's origin: calls to it carry the trace of the request that they are made for. */
  readonly origin: string
  /** Whether it connects over IPv6: to all hosts, or to these addresses only. */
  readonly ipv6: 'all' | readonly string[]
  /** Whether it halts for its debugger before the entry file. */
  readonly halts: boolean
}

/** Why a worker is to end, as `beforeunload` tells it (functions §6). */
export type UnloadReason = 'cpu' | 'memory' | 'wall_clock' | 'early_drop' | 'termination'

/** A later line to a worker: it is about to end, or takes no further calls and ends with those that it has. */
export type LaterMessage = { readonly unload: UnloadReason } | { readonly drain: true }

/** How much a log line matters (functions §7). */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** A line from a worker, behind `eventMark`. The worker runs the function's code, so nothing in it is trusted. */
export type WorkerEvent =
  | { readonly event: 'listening' }
  /** The entry file has run to its end; `listens` is false where no server was registered. */
  | { readonly event: 'loaded'; readonly listens: boolean }
  | { readonly event: 'log'; readonly level: LogLevel; readonly text: string; readonly trace: string | null }
  | { readonly event: 'exception'; readonly text: string; readonly trace: string | null }
  /** Promises given to `EdgeRuntime.waitUntil` that have not settled. */
  | { readonly event: 'pending'; readonly count: number }
  /** A call to another host has ended; `status` is null where it failed. */
  | {
      readonly event: 'fetch'
      readonly method: string
      readonly url: string
      readonly status: number | null
      readonly durationMs: number
      readonly trace: string | null
    }

/** Begins a line that is an event (the record separator of RFC 7464); other lines are output of the function. */
export const eventMark = '\u001e'
