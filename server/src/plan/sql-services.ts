import { readFindings } from '../database/index.ts'
import { advisorService } from '../services/advisor/index.ts'
import { createCron, cronService } from '../services/cron/index.ts'
import { migrationsService } from '../services/migrations/index.ts'
import { createLeadNet, createNet, netService, webhooksService } from '../services/net/index.ts'
import { queuesService } from '../services/queues/index.ts'
import { schemaService } from '../services/schema/index.ts'
import { sqlEditorService } from '../services/sql-editor/index.ts'
import { vaultService } from '../services/vault/index.ts'
import type { ComposeInput } from './instance.ts'
import { planNet } from './net.ts'
import { planSchema } from './rest.ts'
import type { Add, Engines, JoinDeps } from './shared.ts'

/** What lives in the database: jobs, webhooks, queues, secrets, migrations and requests from SQL. */
export async function addSqlServices(
  add: Add,
  input: ComposeInput,
  { postgres, project }: Engines,
  { addresses, shared, actions }: JoinDeps,
): Promise<void> {
  const { settings, worker } = input
  const { reader, editor, owner, listen, commands } = postgres
  const cron = await createCron({ ...shared, listen, commands, settings: settings.cron })
  add(cronService(cron, { ...shared, reader, owner, actions }))
  add(webhooksService({ reader, sql: postgres.admin, actions }))
  add(queuesService({ reader, owner, actions }))
  add(vaultService({ reader, owner, actions, admin: postgres.admin, roots: input.keys.roots }))
  add(sqlEditorService({ ...shared, reader, editor, actions, settings: settings.sqlEditor }))
  const findings = () => readFindings(owner, settings.rest.schemas)
  add(advisorService({ ...shared, findings, actions }))
  add(migrationsService({ folder: settings.instance.project, read: project.migrations, actions }))
  add(schemaService(planSchema(postgres, project, { settings: settings.schema, actions })))
  if (postgres.kind !== 'embedded') return
  const planned = planNet(input, addresses, shared.now)
  const open = () => createNet({ ...shared, owner, listen, ...planned })
  add(netService(worker === null || commands === null ? open() : createLeadNet(commands.hold, open)))
}
