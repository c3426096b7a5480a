import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { StartMessage, UnloadReason, WorkerEvent } from '../runtime/messages.ts'
import { judge, type WorkerLimits } from './limits.ts'
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
import { readUsage, type Usage } from './usage.ts'

/** What a worker runs. */
export interface WorkerProgram extends Pick<ProcessOptions, 'files' | 'startsIn' | 'importMap' | 'config'> {
  readonly name: string
  readonly version: string
  /** URL of its entry file. */
  readonly entry: string
  readonly environment: StartMessage['environment']
}

/** What every worker needs of its host. */
export interface WorkerHost extends DenoInstallation {
  readonly deniedHosts: readonly string[]
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

/** How a worker ended. */
export type WorkerEnd =
  | { readonly kind: 'limit'; readonly reason: UnloadReason }
  | { readonly kind: 'error' }
  | { readonly kind: 'asked' }

const watchEveryMs = 250
/** How long a function has after `beforeunload`. */
const unloadMs = 500
/** Lines kept of what a worker said, for the error of one that does not start. */
const linesKept = 20

/** One process of a function, from its start to its end (functions §6). */
export class Worker {
  readonly id: string
  readonly version: string
  readonly socket: string
  /** Resolves when it listens; rejects with the function's own words when it cannot. */
  readonly ready: Promise<void>
  readonly ended: Promise<WorkerEnd>
  /** Since when it has neither calls nor background work; null while it has. */
  idleSinceMs: number | null = performance.now()
  calls = 0

  private readonly folder: string
  private readonly host: WorkerHost
  private readonly write: (entry: LogEntry) => void
  private readonly startedMs = performance.now()
  private readonly said: string[] = []
  private process: WorkerProcess | null = null
  private end: WorkerEnd | null = null
  private isGone = false
  private hasBooted = false
  private isWarned = false
  private retired: UnloadReason | null = null
  private pending = 0
  private usage: Usage = { memoryBytes: 0, cpuMs: 0, isStopped: false }
  /** Calls since it was last idle, and the CPU time before them. */
  private window = { calls: 0, cpuMsBefore: 0 }
  private readonly bootTimer: NodeJS.Timeout
  private readonly watchTimer: NodeJS.Timeout
  private becomeReady: () => void = () => undefined
  private failToStart: (error: Error) => void = () => undefined
  private becomeEnded: (end: WorkerEnd) => void = () => undefined

  constructor(program: WorkerProgram, host: WorkerHost) {
    const { name, version } = program
    this.host = host
    this.id = host.newId()
    this.version = version
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
    const clean = createStackCleaner(program.files, host.runtime.folder)
    this.write = createLogWriter(host.limits, host.now, ({ text, ...entry }) =>
      host.log({ at: host.now(), name, version, executionId: this.id, text: clean(text), ...entry }),
    )
    this.bootTimer = setTimeout(() => this.tookTooLong(), host.limits.bootMs)
    this.watchTimer = setInterval(() => void this.watch(), watchEveryMs).unref()
    this.start(program).catch((error: Error) => this.processEnded(null, error))
  }

  /** Whether it takes no further call. */
  get isRetired(): boolean {
    return this.retired !== null || this.end !== null || this.isGone
  }

  /** Counts a call. @returns what ends it */
  begin(): () => void {
    if (this.calls === 0) this.window = { calls: 0, cpuMsBefore: this.usage.cpuMs }
    this.calls += 1
    this.window.calls += 1
    this.settle()
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.calls -= 1
      this.settle()
    }
  }

  /** Ends it when its calls and its background work have ended. */
  retire(reason: UnloadReason): void {
    if (this.retired === null && this.idleSinceMs === null) this.process?.send({ drain: true })
    this.retired ??= reason
    this.settle()
  }

  /** Ends it: tells it why, and kills it where it does not end. */
  async stop(reason: UnloadReason): Promise<void> {
    this.end ??= { kind: 'asked' }
    this.process?.send({ unload: reason })
    this.process?.hangUp()
    const limit = setTimeout(() => this.process?.kill(), unloadMs)
    await this.ended
    clearTimeout(limit)
  }

  private async start({ entry, environment, ...program }: WorkerProgram): Promise<void> {
    const { host, folder } = this
    const { memoryMib, lineChars } = host.limits
    this.process = await spawnWorker(
      { ...host, ...program, folder, memoryMib, lineChars },
      {
        event: (event) => this.see(event),
        output: (text, stream) => {
          this.remember(text)
          this.write({ kind: 'log', level: stream === 'stdout' ? 'info' : 'error', text, requestId: null })
        },
        ended: (code, error) => this.processEnded(code, error),
      },
    )
    this.process.send({
      entry,
      socket: this.socket,
      temporary: temporaryFolder(folder),
      files: program.files,
      environment: { ...environment, SB_EXECUTION_ID: this.id },
      origin: host.origin,
    })
    // It was stopped while its process was being made.
    if (this.end !== null) this.process.kill()
  }

  private see(event: WorkerEvent): void {
    switch (event.event) {
      case 'listening':
        clearTimeout(this.bootTimer)
        this.hasBooted = true
        this.becomeReady()
        this.note('boot', 'info', `Booted in ${Math.round(performance.now() - this.startedMs)} ms`)
        return
      case 'loaded':
        if (event.listens) return
        this.remember('No server was registered: call Deno.serve, or export a default object with fetch.')
        this.kill({ kind: 'error' })
        return
      case 'pending':
        this.pending = event.count
        this.settle()
        return
      case 'log':
        this.note('log', event.level, event.text, event.trace)
        return
      case 'exception':
        this.remember(event.text)
        this.note('exception', 'error', event.text, event.trace)
        return
      case 'fetch': {
        const { method, url, status, durationMs, trace } = event
        this.note('fetch', 'info', `${method} ${url} ${status ?? 'failed'} ${Math.round(durationMs)} ms`, trace)
      }
    }
  }

  private note(kind: LogEntry['kind'], level: LogEntry['level'], text: string, trace: string | null = null): void {
    this.write({ kind, level, text, requestId: this.host.requestOf(trace) })
  }

  private remember(text: string): void {
    this.said.push(text)
    if (this.said.length > linesKept) this.said.shift()
  }

  private tookTooLong(): void {
    this.remember(`The function did not serve within ${this.host.limits.bootMs / 1000} s.`)
    this.kill({ kind: 'error' })
  }

  private kill(end: WorkerEnd): void {
    this.end ??= end
    this.process?.kill()
  }

  /** Notes whether it is idle, and ends it where it was to end then. */
  private settle(): void {
    if (this.calls > 0 || this.pending > 0) {
      this.idleSinceMs = null
      return
    }
    this.idleSinceMs ??= performance.now()
    if (this.retired !== null && this.end === null) void this.stop(this.retired)
  }

  private async watch(): Promise<void> {
    const pid = this.process?.pid
    const usage = pid === undefined ? null : await readUsage(pid)
    if (usage === null || this.end !== null || this.isGone) return
    this.usage = usage
    if (usage.isStopped) {
      this.remember('The process was stopped by a signal.')
      this.kill({ kind: 'error' })
      return
    }
    const { limits } = this.host
    const ageMs = performance.now() - this.startedMs
    const verdict = judge(limits, { usage, ageMs, ...this.window, calls: Math.max(1, this.window.calls) })
    if (verdict.kind === 'exceeded') this.kill({ kind: 'limit', reason: verdict.reason })
    else if (verdict.kind === 'warn' && !this.isWarned) {
      this.isWarned = true
      this.process?.send({ unload: verdict.reason })
    }
    if (ageMs > limits.wallMs / 2) this.retire('early_drop')
  }

  private processEnded(code: number | null, error: Error | null): void {
    if (this.isGone) return
    this.isGone = true
    clearTimeout(this.bootTimer)
    clearInterval(this.watchTimer)
    if (error !== null) this.remember(error.message)
    // V8 ends the process itself when the heap is full, with these words.
    const isHeapFull = code !== 0 && this.said.some((text) => /heap limit|out of memory/i.test(text))
    const end: WorkerEnd = this.end ?? (isHeapFull ? { kind: 'limit', reason: 'memory' } : { kind: 'error' })
    const why =
      end.kind === 'limit' ? `the limit of ${limitNames[end.reason]}` : end.kind === 'asked' ? 'as asked' : 'an error'
    const used = `${Math.round(this.usage.cpuMs)} ms of CPU, ${Math.round(this.usage.memoryBytes / 1024 ** 2)} MiB`
    this.note('shutdown', end.kind === 'asked' ? 'info' : 'error', `Ended: ${why}; used ${used}`)
    const words = this.said.join('\n')
    if (!this.hasBooted && end.kind !== 'asked') this.note('boot_failure', 'error', words)
    this.failToStart(new Error(words))
    this.becomeEnded(end)
    void rm(this.folder, { recursive: true, force: true })
  }
}

const limitNames: Readonly<Record<UnloadReason, string>> = {
  cpu: 'CPU time',
  memory: 'memory',
  wall_clock: 'wall clock time',
  early_drop: 'wall clock time',
  termination: 'the server',
}
