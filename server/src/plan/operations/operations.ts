import type { ChangeWorker } from '../../change-worker/index.ts'
import { droppedLinesGauge } from '../../engines/log/index.ts'
import type { Service } from '../../gateway/index.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Backups } from '../../services/backups/index.ts'
import type { Disk } from '../../services/disk/index.ts'
import type { Inbox } from '../../services/inbox/index.ts'
import type { Operators } from '../../services/operators/index.ts'
import { type Retention, retentionService } from '../../services/retention/index.ts'
import { secretsService } from '../../services/secrets/index.ts'
import { createTelemetry, type Telemetry, telemetryService } from '../../services/telemetry/index.ts'
import { version } from '../../version.ts'
import type { ComposeInput } from '../instance.ts'
import { configuredSecrets } from '../secrets/configured-secrets.ts'
import type { Add, Engines, JoinDeps } from '../shared.ts'
import { keptTables } from '../tables/service-tables.ts'
import { planInstanceAlerts } from './alerts.ts'
import { planDisk } from './disk.ts'
import { addOperators } from './operators.ts'

interface OperationsJoinDeps extends Pick<JoinDeps, 'shared' | 'addresses'> {
  readonly operators: Operators
  readonly inbox: Inbox
  readonly retention: Retention
  readonly changes: Pick<ChangeWorker, 'behindBytes'>
  /** The services that are added, here and later. */
  readonly running: readonly Service[]
  /** What they keep under root keys. */
  readonly rootKeyUses: () => readonly RootKeyUse[]
}

/** What other services, and the servers, need of them. */
interface Operations {
  /** Null where none are made. */
  readonly backups: Backups | null
  readonly telemetry: Telemetry
  /** Moves what is kept to the root key that counts. */
  readonly renewRootKeys: () => Promise<void>
  readonly disk: Pick<Disk, 'areFilesFull'>
  /** How the engines, the services that run by then, and the disk are. */
  readonly health: () => Promise<readonly EngineHealth[]>
}

/** What operators of the instance need: their pages and backups, the disk, alerts, the log's own numbers; and spans that leave. */
export async function addOperations(
  add: Add,
  input: ComposeInput,
  { postgres, clickhouse, bus }: Engines,
  { shared, operators, running, ...deps }: OperationsJoinDeps,
): Promise<Operations> {
  const { actions } = operators
  const health = (): Promise<readonly EngineHealth[]> =>
    Promise.all([postgres, clickhouse, bus, ...running, input.disk].flatMap((part) => part.health?.() ?? []))
  add({ gauges: [droppedLinesGauge(input.droppedLines)] })
  const backups = await addOperators(add, input, shared, operators)
  const { keptLonger } = deps.retention
  const { disk, service } = await planDisk(input, { shared, actions, backups, tables: keptTables, keptLonger })
  add(service)
  const secrets = secretsService({
    configured: () => configuredSecrets(input.places),
    reload: input.reloadSecrets,
    rotation: input.rotation,
    ingestToken: () => input.keys.ingestToken,
    lastDone: actions.lastDone,
    actions,
    roots: input.keys.roots,
    uses: deps.rootKeyUses,
    log: shared.log,
  })
  add(secrets)
  add(retentionService(deps.retention, actions, { ...shared, settings: input.settings.retention }))
  add(planInstanceAlerts(input, { ...deps, shared, actions, backups, disk, health }))
  const telemetry = createTelemetry({ ...shared, settings: input.settings.telemetry, version })
  add(telemetryService(telemetry))
  return { backups, health, telemetry, disk, renewRootKeys: secrets.renewRootKeys }
}
