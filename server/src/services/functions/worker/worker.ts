import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { StartMessage, UnloadReason, WorkerEvent } from '../runtime/messages.ts'
import { findFreePort } from './free-port.ts'
import type { Inspect, ModuleOptions } from './launch.ts'
import {
  type Effect,
  type LifeEvent,
  startingWorker,
  takesCalls,
  transition,
  type WorkerEnd,
  type WorkerState,
} from './lifecycle.ts'
import type { WorkerLimits } from './limits.ts'
import { createLogWriter, type LogEntry, type LogLimits } from './log-writer.ts'
import {
  type DenoInstallation,
  type ProcessOptions,
  socketIn,
  spawnWorker,
  temporaryFolder,
  type WorkerProcess,
} from './process.ts'
import { createStackCleaner } from './stack.ts'
import { readUsage } from './usage.ts'

/** What a worker runs. */
export interface WorkerProgram extends Pick<ProcessOptions, 'files' | 'startsIn' | keyof ModuleOptions> {
  readonly name: string
  readonly version: string
  /** URL of its entry file. */
  readonly entry: string
  readonly environment: StartMessage['environment']
  readonly usesPackages: boolean
}

/** What every worker needs of its host. */
export interface WorkerHost extends DenoInstallation {
  readonly deniedHosts: readonly string[]
  /** Whether debuggers may be attached, and the port on which they find all processes; null where not. */
  readonly inspect: Inspect | null
  /** Whether functions connect over IPv6: to all hosts, or to these addresses only. */
  readonly ipv6: StartMessage['ipv6']
  /** The folder in which each worker has one. */
  readonly runFolder: string
  /** Origin of the API. */
  readonly origin: string
  readonly limits: WorkerLimits & LogLimits & { readonly bootMs: number }
  readonly newId: () => string
  readonly now: () => Date
  /** The request that a trace names, if we made it. */
  readonly requestOf: (trace: string | null) => string | null
  readonly log: (line: FunctionLog) => void
}

/** A worker as operators see it. */
export interface WorkerUse {
  readonly id: string
  readonly version: string
  readonly startedAt: Date
  /** Open calls. */
  readonly calls: number
  readonly memoryBytes: number
  readonly cpuMs: number
  /** Whether it takes no further call. */
  readonly isRetired: boolean
}

/** A process that a debugger may be attached to. */
export interface Debugged {
  /** Of the process. */
  readonly id: string
  /** Of its function. */
  readonly name: string
  /** Of Deno's own inspector, on 127.0.0.1. */
  readonly port: number
}

const watchEveryMs = 250
/** How long a function has after `beforeunload`. */
const unloadMs = 500

/** One process of a function, from its start to its end (functions §6): does what `lifecycle.ts` decides. */
export class Worker {
  readonly id: string
  readonly version: string
  readonly socket: string
  readonly name: string
  private readonly startedAt: Date
  /** Resolves when it listens; rejects with the function's own words when it cannot. */
  readonly ready: Promise<void>
  readonly ended: Promise<WorkerEnd>

  /** Of Deno's own inspector; null where there is none, or none yet. */
  inspectorPort: number | null = null

  private readonly folder: string
  private readonly host: WorkerHost
  private readonly write: (entry: LogEntry) => void
  private readonly clean: (text: string) => string
  private process: WorkerProcess | null = null
  private state: WorkerState = startingWorker(performance.now())
  private readonly bootTimer: NodeJS.Timeout
  private readonly watchTimer: NodeJS.Timeout
  private killTimer: NodeJS.Timeout | undefined
  private becomeReady: () => void = () => undefined
  private failToStart: (error: Error) => void = () => undefined
  private becomeEnded: (end: WorkerEnd) => void = () => undefined

  constructor(program: WorkerProgram, host: WorkerHost) {
    const { name, version } = program
    this.host = host
    this.id = host.newId()
    this.version = version
    this.name = name
    this.startedAt = host.now()
    this.folder = join(host.runFolder, this.id)
    this.socket = socketIn(this.folder)
    this.ready = new Promise((resolve, reject) => {
      this.becomeReady = resolve
      this.failToStart = reject
    })
    this.ready.catch(() => undefined)
    this.ended = new Promise((resolve) => {
      this.becomeEnded = resolve
    })
    this.clean = createStackCleaner(program.files, host.runtime.folder)
    this.write = createLogWriter(host.limits, host.now, ({ text, ...entry }) =>
      host.log({ at: host.now(), name, version, executionId: this.id, text: this.clean(text), ...entry }),
    )
    this.bootTimer = setTimeout(() => this.take({ kind: 'bootTimedOut' }), host.limits.bootMs)
    this.watchTimer = setInterval(() => void this.measure(), watchEveryMs).unref()
    this.start(program).catch((error: Error) => this.take({ kind: 'exited', code: null, error: error.message }))
  }

  /** Whether it takes no further call. */
  get isRetired(): boolean {
    return !takesCalls(this.state)
  }

  /** Whether it listens, and takes calls. */
  get isServing(): boolean {
    return this.state.phase.kind === 'serving'
  }

  /** Open calls. */
  get calls(): number {
    return this.state.calls
  }

  /** Since when it has neither calls nor background work; null while it has. */
  get idleSinceMs(): number | null {
    return this.state.idleSinceMs
  }

  /** What it uses, as it was last measured. */
  get use(): WorkerUse {
    const { id, version, startedAt, state } = this
    const { calls, usage } = state
    return {
      id,
      version,
      startedAt,
      calls,
      memoryBytes: usage.memoryBytes,
      cpuMs: usage.cpuMs,
      isRetired: this.isRetired,
    }
  }

  /** Counts a call. @returns what ends it */
  begin(): () => void {
    this.take({ kind: 'callBegan' })
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.take({ kind: 'callEnded' })
    }
  }

  /** Ends it when its calls and its background work have ended. */
  retire(reason: UnloadReason): void {
    this.take({ kind: 'retired', reason })
  }

  /** Ends it: tells it why, and kills it where it does not end. */
  async stop(reason: UnloadReason): Promise<void> {
    this.take({ kind: 'stopped', reason })
    await this.ended
  }

  private take(event: LifeEvent): void {
    const { state, effects } = transition(this.state, event, { limits: this.host.limits, nowMs: performance.now() })
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'send':
        this.process?.send(effect.message)
        return
      case 'hangUp':
        this.process?.hangUp()
        return
      case 'kill':
        this.process?.kill()
        return
      case 'killLater':
        this.killTimer = setTimeout(() => this.process?.kill(), unloadMs)
        return
      case 'note':
        this.write({ ...effect.entry, requestId: null })
        return
      case 'becomeReady':
        clearTimeout(this.bootTimer)
        this.becomeReady()
        return
      case 'becomeEnded':
        for (const timer of [this.bootTimer, this.watchTimer, this.killTimer]) clearTimeout(timer)
        this.failToStart(new Error(this.clean(effect.words)))
        this.becomeEnded(effect.end)
        void rm(this.folder, { recursive: true, force: true })
    }
  }

  private async start({ entry, environment, usesPackages, ...program }: WorkerProgram): Promise<void> {
    const { host, folder } = this
    const { memoryMib, lineChars } = host.limits
    const inspect = host.inspect && { ...host.inspect, port: await findFreePort(0) }
    this.inspectorPort = inspect?.port ?? null
    if (host.inspect !== null)
      this.note('boot', 'info', `A debugger may be attached on 127.0.0.1:${host.inspect.port}`, null)
    this.process = await spawnWorker(
      { ...host, ...program, inspect, folder, memoryMib, lineChars },
      {
        event: (event) => this.see(event),
        output: (text, stream) => {
          this.take({ kind: 'said', text })
          this.write({ kind: 'log', level: stream === 'stdout' ? 'info' : 'error', text, requestId: null })
        },
        ended: (code, error) => this.take({ kind: 'exited', code, error: error?.message ?? null }),
      },
    )
    this.process.send({
      entry,
      socket: this.socket,
      temporary: temporaryFolder(folder),
      files: program.files,
      packages: join(host.cache, 'npm'),
      usesPackages,
      environment: { ...environment, SB_EXECUTION_ID: this.id },
      origin: host.origin,
      ipv6: host.ipv6,
      halts: inspect?.mode === 'brk',
    })
    this.take({ kind: 'spawned' })
  }

  private see(event: WorkerEvent): void {
    switch (event.event) {
      case 'listening':
        this.take({ kind: 'listening' })
        return
      case 'loaded':
        this.take({ kind: 'loaded', listens: event.listens })
        return
      case 'pending':
        this.take({ kind: 'pending', count: event.count })
        return
      case 'log':
        this.note('log', event.level, event.text, event.trace)
        return
      case 'exception':
        this.take({ kind: 'said', text: event.text })
        this.note('exception', 'error', event.text, event.trace)
        return
      case 'fetch': {
        const { method, url, status, durationMs, trace } = event
        this.note('fetch', 'info', `${method} ${url} ${status ?? 'failed'} ${Math.round(durationMs)} ms`, trace)
      }
    }
  }

  private note(kind: LogEntry['kind'], level: LogEntry['level'], text: string, trace: string | null): void {
    this.write({ kind, level, text, requestId: this.host.requestOf(trace) })
  }

  private async measure(): Promise<void> {
    const pid = this.process?.pid
    const usage = pid === undefined ? null : await readUsage(pid)
    if (usage !== null) this.take({ kind: 'measured', usage })
  }
}
