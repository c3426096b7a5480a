import { join } from 'node:path'
import { type Bus, topicsOf } from '../engines/bus/index.ts'
import type { ClickHouse } from '../engines/clickhouse/index.ts'
import type { Postgres } from '../engines/postgres/index.ts'
import { createRefusedRows, forgetRefusedRows } from '../engines/spool/index.ts'
import type { Threads } from '../engines/threads/index.ts'
import type { Service } from '../gateway/index.ts'
import { createTraces, joinTraces } from '../ground/http/trace.ts'
import type { RootKeyUse } from '../ground/ids/root-key-use.ts'
import { derivedOf } from '../ground/ids/root-keys.ts'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import type { Forget } from '../ground/privacy/withdrawal.ts'
import { createConsents } from '../services/analytics/index.ts'
import { createNotices } from '../services/live/index.ts'
import type { Operators } from '../services/operators/index.ts'
import { createMasks } from '../services/privacy/index.ts'
import type { Addresses } from './addresses.ts'
import type { ComposeInput, PreparedProject } from './instance.ts'

/** What services run on. */
export interface Engines {
  readonly postgres: Postgres
  readonly clickhouse: ClickHouse
  /** Resolves when ClickHouse has the services' tables. */
  readonly clickhouseReady: Promise<void>
  readonly threads: Threads
  /** Joins this process with others. */
  readonly bus: Bus
  readonly project: PreparedProject
}

/** Adds a service to those that run. */
export type Add = ReturnType<typeof createServiceList>['add']

/** What services of one instance have in common. */
export type Shared = ReturnType<typeof planShared>['shared']

/** What services that store what browsers, servers and databases tell have in common. */
export type Spooling = ReturnType<typeof planShared>['spool']

/** What services need of the instance and of those before them. */
export interface JoinDeps {
  readonly addresses: Addresses
  readonly shared: Shared
  readonly actions: Operators['actions']
}

const now = (): Date => new Date()
const newId = (): string => uuidv7()
const nowMs = (): number => performance.now()

/** The services that run: each is closed with the instance, and one that is not served mounts nothing. */
export function createServiceList({ opened }: ComposeInput) {
  const running: Service[] = []
  const add = (service: Service, isServed = true): void => {
    running.push(isServed ? service : { ...service, mounts: [] })
    if (service.close !== undefined) opened.push(service.close)
  }
  const rootKeyUses = (): readonly RootKeyUse[] => running.flatMap((service) => service.rootKeyUses ?? [])
  return { running, add, rootKeyUses }
}

/** What every service may need: each takes of it what its own interface names. */
export function planShared(input: ComposeInput, { postgres, clickhouse, threads, bus }: Engines) {
  const { settings, folders, keys, log } = input
  const { jsonDepth } = settings.instance
  const ofRoots = derivedOf(keys.roots, 'traces of causes', createTraces)
  const traces = joinTraces(() => ofRoots().map(({ value }) => value))
  const { ingestTokens } = keys
  const { noticesPerSecond } = settings.live
  const live = createNotices({ bus, noticesPerSecond, nodeSeconds: settings.cluster.nodeSeconds, nowMs })
  input.opened.push(async () => live.close())
  const refusedFolder = join(folders.spool, 'refused')
  const refused = createRefusedRows({ folder: refusedFolder, limitBytes: settings.spool.refusedBytes, now, log })
  return {
    shared: {
      ...{ sql: postgres.admin, clickhouse, threads, traces, jsonDepth, ingestTokens, live, now, newId, log },
      topic: topicsOf(bus),
    },
    spool: {
      spoolDir: folders.spool,
      leftSpoolDirs: folders.leftSpools,
      spoolSettings: settings.spool,
      refused,
      forgetRefused: ((ids, before) => forgetRefusedRows(folders.spools, ids, before)) satisfies Forget,
      consent: createConsents(postgres.admin, settings.analytics.consent === 'required'),
      masks: createMasks(postgres.admin),
      isDiskShort: input.disk.isShort,
      watchedBatchMs: settings.live.storeMs,
    },
  }
}
