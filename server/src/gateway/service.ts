import type { FastifyPluginAsync } from 'fastify'
import type { RootKeyUse } from '../ground/ids/root-key-use.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { Gauge } from './monitoring/metrics.ts'

/** A plugin under its prefix on the application's port. */
export interface Mount {
  readonly prefix: string
  readonly plugin: FastifyPluginAsync
  /** The service's name in the thread; null for what is not part of it, as ingestion. */
  readonly service: string | null
  /** Whether a request under the prefix (path without it) needs a project key where keys are required at all. */
  readonly needsKey: (path: string) => boolean
  /** Whether pages of other sites may not call it in local mode, even without a key. */
  readonly forOwnPages?: boolean
}

/** What a service brings to the instance that runs it. Its door has a function that returns one. */
export interface Service {
  readonly mounts?: readonly Mount[]
  /** Its parts of the console's API, for signed-in operators. */
  readonly console?: readonly FastifyPluginAsync[]
  /** Parts of the console's API that need no operator. */
  readonly openConsole?: readonly FastifyPluginAsync[]
  /** Those of its parts of the console's API that the command line of this machine uses without an operator. */
  readonly commandLine?: readonly FastifyPluginAsync[]
  readonly gauges?: readonly Gauge[]
  /** What it keeps under root keys. */
  readonly rootKeyUses?: readonly RootKeyUse[]
  readonly health?: () => EngineHealth | Promise<EngineHealth>
  /** Called when both ports listen. What it returns is called before they close. */
  readonly start?: () => Promise<() => Promise<void>>
  readonly close?: () => Promise<void>
}
